// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether standard output or standard input is a terminal, and how wide it is. {@code
 * System.console()} cannot tell: it checks both together, and in some versions of Java it exists
 * without a terminal. So a shell inherits the stream in question and answers on standard error.
 * Without a shell, the answer is no.
 */
final class Terminal implements Supplier<OptionalInt> {

  private static final Path SHELL = Path.of("/bin/sh");
  private static final String IS_INPUT_TERMINAL = "test -t 0";
  private static final String WINDOW_SIZE =
      "test -t 1 || exit 1; { stty size </dev/tty || echo 0 80; } >&2 2>/dev/null";
  private static final Redirect NOTHING = Redirect.from(Path.of("/dev/null").toFile());
  private static final int DEFAULT_COLUMNS = 80;
  private static final int MAX_OUTPUT_BYTES = 100;

  private @Nullable OptionalInt columns;

  @Override
  public OptionalInt get() {
    if (columns == null) {
      columns =
          answer(WINDOW_SIZE, NOTHING, Redirect.INHERIT)
              .map(Terminal::columnsOf)
              .orElse(OptionalInt.empty());
    }
    return columns;
  }

  /** Whether standard input is a terminal. */
  static boolean isInputTerminal() {
    return answer(IS_INPUT_TERMINAL, Redirect.INHERIT, Redirect.DISCARD).isPresent();
  }

  /** The shell's output; empty when it exits with an error. */
  private static Optional<byte[]> answer(String script, Redirect in, Redirect out) {
    if (!Files.isExecutable(SHELL)) {
      return Optional.empty();
    }
    try {
      Process process =
          new ProcessBuilder(SHELL.toString(), "-c", script)
              .redirectInput(in)
              .redirectOutput(out)
              .start();
      try (var answer = process.getErrorStream()) {
        byte[] text = answer.readNBytes(MAX_OUTPUT_BYTES);
        boolean ended = process.waitFor(1, TimeUnit.SECONDS);
        return ended && process.exitValue() == 0 ? Optional.of(text) : Optional.empty();
      } finally {
        process.destroy();
      }
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Parses rows and columns, such as {@code 24 80}; a terminal that does not know says 0. */
  private static OptionalInt columnsOf(byte[] size) {
    String[] fields = new String(size, StandardCharsets.US_ASCII).strip().split(" ", -1);
    boolean known = fields.length == 2 && fields[1].matches("[1-9]\\d{0,4}");
    return OptionalInt.of(known ? Integer.parseInt(fields[1]) : DEFAULT_COLUMNS);
  }
}
