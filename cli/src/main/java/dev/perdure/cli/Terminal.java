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
 * The terminal behind standard output, if there is one, or behind standard input. {@code
 * System.console()} cannot tell: it looks at both together, and on some versions of Java it is
 * there without any terminal. So a shell is asked, which inherits the one in question and answers
 * on standard error; where there is none, neither is there a terminal.
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

  /** Whether somebody types what standard input reads. */
  static boolean isInputTerminal() {
    return answer(IS_INPUT_TERMINAL, Redirect.INHERIT, Redirect.DISCARD).isPresent();
  }

  /** What the shell says; empty when it says no. */
  private static Optional<byte[]> answer(String question, Redirect in, Redirect out) {
    if (!Files.isExecutable(SHELL)) {
      return Optional.empty();
    }
    try {
      Process process =
          new ProcessBuilder(SHELL.toString(), "-c", question)
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

  /** From rows and columns, such as {@code 24 80}; a terminal may not know, and then says 0. */
  private static OptionalInt columnsOf(byte[] size) {
    String[] words = new String(size, StandardCharsets.US_ASCII).strip().split(" ", -1);
    boolean known = words.length == 2 && words[1].matches("[1-9]\\d{0,4}");
    return OptionalInt.of(known ? Integer.parseInt(words[1]) : DEFAULT_COLUMNS);
  }
}
