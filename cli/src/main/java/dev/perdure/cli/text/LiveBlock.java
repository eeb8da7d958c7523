// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** The last lines of a terminal, redrawn on every update. */
public final class LiveBlock {

  private final PrintStream out;
  private final int width;
  private final boolean colored;
  private long lines;

  /**
   * @param width at most the terminal's width: a wrapped line would be counted as one
   */
  public LiveBlock(PrintStream out, int width, boolean colored) {
    this.out = out;
    this.width = width;
    this.colored = colored;
  }

  /** Replaces the lines; longer lines are cut. */
  public void show(Consumer<TerminalWriter> content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream buffer = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      content.accept(TerminalWriter.cutting(buffer, width, colored));
    }
    String text = bytes.toString(StandardCharsets.UTF_8);
    // Moves up to the first line and clears everything below.
    out.print(lines == 0 ? text : "\u001B[%dA\u001B[J".formatted(lines) + text);
    out.flush();
    lines = text.lines().count();
  }
}
