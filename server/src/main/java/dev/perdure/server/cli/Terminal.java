// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The terminal behind standard output, if there is one. {@code System.console()} cannot tell: it
 * looks at standard input too, and on some versions of Java it is there without any terminal. So a
 * shell is asked, which inherits standard output and answers on standard error; where there is
 * none, neither is there a terminal.
 */
final class Terminal implements Supplier<OptionalInt> {

  private static final Path SHELL = Path.of("/bin/sh");
  private static final String QUESTION =
      "test -t 1 || exit 1; { stty size </dev/tty || echo 0 80; } >&2 2>/dev/null";
  private static final int USUAL_COLUMNS = 80;
  private static final int LONGEST_ANSWER = 100;

  private @Nullable OptionalInt columns;

  @Override
  public OptionalInt get() {
    if (columns == null) {
      columns = Files.isExecutable(SHELL) ? ask() : OptionalInt.empty();
    }
    return columns;
  }

  private static OptionalInt ask() {
    try {
      Process process =
          new ProcessBuilder(SHELL.toString(), "-c", QUESTION)
              .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(Redirect.INHERIT)
              .start();
      try (var answer = process.getErrorStream()) {
        byte[] size = answer.readNBytes(LONGEST_ANSWER);
        boolean ended = process.waitFor(1, TimeUnit.SECONDS);
        return ended && process.exitValue() == 0 ? columnsOf(size) : OptionalInt.empty();
      } finally {
        process.destroy();
      }
    } catch (IOException e) {
      return OptionalInt.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalInt.empty();
    }
  }

  /** From rows and columns, such as {@code 24 80}; a terminal may not know, and then says 0. */
  private static OptionalInt columnsOf(byte[] size) {
    String[] words = new String(size, StandardCharsets.US_ASCII).strip().split(" ", -1);
    boolean known = words.length == 2 && words[1].matches("[1-9]\\d{0,4}");
    return OptionalInt.of(known ? Integer.parseInt(words[1]) : USUAL_COLUMNS);
  }
}
