// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** The last lines of a terminal, written over and over. */
public final class LiveBlock {

  private final PrintStream out;
  private final int width;
  private final boolean colored;
  private long lines;

  /**
   * @param width no more than the terminal has: a line that it broke would be counted as one
   */
  public LiveBlock(PrintStream out, int width, boolean colored) {
    this.out = out;
    this.width = width;
    this.colored = colored;
  }

  /** Writes it over what it wrote before; what is wider is cut. */
  public void show(Consumer<TerminalWriter> content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream buffer = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      content.accept(new TerminalWriter(buffer, width, width, colored));
    }
    String text = bytes.toString(StandardCharsets.UTF_8);
    // Up to the first line, and everything from there on is gone.
    out.print(lines == 0 ? text : "\u001B[%dA\u001B[J".formatted(lines) + text);
    out.flush();
    lines = text.lines().count();
  }
}
