// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.text;

import dev.perdure.server.demo.Chronicle;
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
  private static final int USUAL_PORT = 8085;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  private final Page page;
  private final String call;
  private final ZoneId zone;

  /**
   * @param call how the command line is called
   */
  public DemoText(Page page, String call, ZoneId zone) {
    this.page = page;
    this.call = call;
    this.zone = zone;
  }

  public void greeting(URI server, URI service, Path folder) {
    page.heading("A server, a flaky service, a worker, and tasks that fail in different ways.");
    page.blank();
    page.field(
        "server", LABEL, "%s (API reference at %s)".formatted(server, server.resolve("/docs")));
    page.field("service", LABEL, "%s answers well, badly, late or never".formatted(service));
    page.field(
        "tasks",
        LABEL,
        "kept in SQLite beside the log in %s, gone when this ends".formatted(folder));
    page.blank();
    page.paragraph("In another terminal:");
    String url = server.getPort() == USUAL_PORT ? "" : " --url " + server;
    page.command("%s tasks%s".formatted(call, url));
    page.command("%s show%s ID  # the letters below".formatted(call, url));
    page.command("%s watch%s".formatted(call, url));
    page.command("curl %s".formatted(server.resolve("/retry/stats")));
    page.blank();
    page.paragraph("Ctrl-C ends it. What happens:", Tone.FAINT);
    page.blank();
  }

  public void event(Chronicle.Event event) {
    Tone tone =
        switch (event.mood()) {
          case GOOD -> Tone.GOOD;
          case WAITS -> Tone.WARNING;
          case BAD -> Tone.BAD;
          case TOLD -> Tone.ACCENT;
        };
    String mark =
        switch (event.mood()) {
          case GOOD -> "✓ ";
          case WAITS -> "↻ ";
          case BAD -> "✗ ";
          case TOLD -> "☎ ";
        };
    List<Piece> line = new ArrayList<>();
    line.add(Piece.of(TIME.format(event.at().atZone(zone)) + "  ", Tone.FAINT));
    line.add(Piece.of(event.kind()));
    line.add(Piece.space(KIND - event.kind().length()));
    line.add(Piece.of(event.task() + "  ", Tone.FAINT));
    line.add(Piece.of(mark, tone));
    int columns = line.stream().mapToInt(Piece::columns).sum();
    for (String words : Page.wrap(event.text(), page.width() - columns)) {
      line.add(Piece.of(words, tone));
      page.line(line);
      line = new ArrayList<>(List.of(Piece.space(columns)));
    }
  }
}
