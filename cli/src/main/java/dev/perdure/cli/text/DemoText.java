// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.demo.DemoEventLog;
import java.net.URI;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** What the example says of itself. */
public final class DemoText {

  private static final int LABEL = 10;
  private static final int KIND = 14;
  private static final int DEFAULT_PORT = 8085;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  private final TerminalWriter terminalWriter;
  private final String call;
  private final ZoneId zone;

  /**
   * @param call how the command line is called
   */
  public DemoText(TerminalWriter terminalWriter, String call, ZoneId zone) {
    this.terminalWriter = terminalWriter;
    this.call = call;
    this.zone = zone;
  }

  public void greeting(URI server, URI service, Path folder) {
    terminalWriter.heading(
        "A server, a flaky service, a worker, and tasks that fail in different ways.");
    terminalWriter.blank();
    terminalWriter.field(
        "server", LABEL, "%s (API reference at %s)".formatted(server, server.resolve("/docs")));
    terminalWriter.field(
        "service", LABEL, "%s answers well, badly, late or never".formatted(service));
    terminalWriter.field(
        "tasks",
        LABEL,
        "kept in SQLite beside the log in %s, gone when this ends".formatted(folder));
    terminalWriter.blank();
    terminalWriter.paragraph("In another terminal:");
    String url = server.getPort() == DEFAULT_PORT ? "" : " --url " + server;
    terminalWriter.command("%s tasks%s".formatted(call, url));
    terminalWriter.command("%s show%s ID  # the letters below".formatted(call, url));
    terminalWriter.command("%s watch%s".formatted(call, url));
    terminalWriter.command("curl %s".formatted(server.resolve("/retry/stats")));
    terminalWriter.blank();
    terminalWriter.paragraph("Ctrl-C ends it. What happens:", AnsiStyle.FAINT);
    terminalWriter.blank();
  }

  public void event(DemoEventLog.Event event) {
    AnsiStyle ansiStyle =
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
    line.add(StyledText.of(event.task() + "  ", AnsiStyle.FAINT));
    line.add(StyledText.of(mark, ansiStyle));
    int columns = line.stream().mapToInt(StyledText::columns).sum();
    for (String words : TerminalWriter.wrap(event.text(), terminalWriter.width() - columns)) {
      line.add(StyledText.of(words, ansiStyle));
      terminalWriter.line(line);
      line = new ArrayList<>(List.of(StyledText.space(columns)));
    }
  }
}
