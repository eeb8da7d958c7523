// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.demo.DemoEventLog;
import java.net.URI;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** Prints the demo's introduction and its events. */
public final class DemoText {

  private static final int LABEL = 10;
  private static final int KIND = 13;
  private static final int DEFAULT_PORT = 8085;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  private final TerminalWriter writer;
  private final String command;
  private final ZoneId zone;

  /**
   * @param command how the command line is called
   */
  public DemoText(TerminalWriter writer, String command, ZoneId zone) {
    this.writer = writer;
    this.command = command;
    this.zone = zone;
  }

  public void greeting(URI server, URI service, Path directory) {
    String base = server.toString().replaceFirst("/$", "");
    writer.heading("A server, a flaky service, a worker, and tasks that fail in different ways");
    writer.blank();
    writer.field("server", LABEL, server.toString());
    writer.field("dashboard", LABEL, base + "/ui/");
    writer.field("docs", LABEL, base + "/docs");
    writer.field(
        "service", LABEL, "%s (answers, fails, is slow or stays silent)".formatted(service));
    writer.field("files", LABEL, "%s (tasks and log, deleted at the end)".formatted(directory));
    writer.blank();
    writer.paragraph("Try in another terminal:");
    String url = server.getPort() == DEFAULT_PORT ? "" : " --url " + server;
    writer.command("%s tasks%s".formatted(command, url));
    writer.command("%s show%s ID  # an id from the list below".formatted(command, url));
    writer.command("%s watch%s".formatted(command, url));
    writer.command("%s batches%s --name nightly  # graphs".formatted(command, url));
    writer.command("%s batch%s ID  # draws one of them".formatted(command, url));
    writer.command("curl %s".formatted(base + "/retry/stats"));
    writer.blank();
    writer.paragraph("Press Ctrl-C to stop. Events:", AnsiStyle.FAINT);
    writer.blank();
  }

  public void event(DemoEventLog.Event event) {
    AnsiStyle style =
        switch (event.outcome()) {
          case SUCCEEDED -> AnsiStyle.GOOD;
          case RETRYING -> AnsiStyle.WARNING;
          case FAILED -> AnsiStyle.BAD;
          case NOTIFIED -> AnsiStyle.ACCENT;
        };
    String mark =
        switch (event.outcome()) {
          case SUCCEEDED -> "✓ ";
          case RETRYING -> "↻ ";
          case FAILED -> "✗ ";
          case NOTIFIED -> "☎ ";
        };
    List<StyledText> line = new ArrayList<>();
    line.add(StyledText.of(TIME.format(event.at().atZone(zone)) + "  ", AnsiStyle.FAINT));
    line.add(StyledText.of(event.kind()));
    line.add(StyledText.space(KIND - event.kind().length()));
    line.add(StyledText.of(ShortId.time(event.task()) + "  ", AnsiStyle.FAINT));
    line.add(StyledText.of(mark, style));
    int columns = line.stream().mapToInt(StyledText::columns).sum();
    for (String words : TerminalWriter.wrap(event.text(), writer.textWidth() - columns)) {
      line.add(StyledText.of(words, style));
      writer.line(line);
      line = new ArrayList<>(List.of(StyledText.space(columns)));
    }
  }
}
