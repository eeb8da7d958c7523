// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.TerminalWriter;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The environment of one call of the command line. The only class of the command line that reads a
 * clock or creates random values.
 *
 * @param terminalColumns the width of the terminal that {@code out} writes to; empty when it writes
 *     elsewhere. Asked for only when needed, because the answer costs a process
 * @param inputIsTerminal whether {@code in} reads from a terminal; costs a process too
 */
public record CliContext(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    Supplier<OptionalInt> terminalColumns,
    BooleanSupplier inputIsTerminal,
    Instant now) {

  /** A text that a shell reads as one word without quotes. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./+@:,-]+");

  private static final Pattern COLUMNS = Pattern.compile("[1-9]\\d{0,5}");
  private static final int BUFFER = 16 * 1024;
  private static final int MIN_WIDTH = 60;
  private static final int MIN_TEXT_WIDTH = 40;
  private static final int MIN_LIVE_WIDTH = 20;
  private static final int MAX_WIDTH = 160;
  private static final int DEFAULT_WIDTH = 80;

  /** The environment of this process. */
  static CliContext ofProcess() {
    return new CliContext(
        System.in,
        stream(new FailFastOutputStream(new FileOutputStream(FileDescriptor.out))),
        stream(new FileOutputStream(FileDescriptor.err)),
        System.getenv(),
        new Terminal(),
        Terminal::isInputTerminal,
        Instant.now());
  }

  /** Always UTF-8, whatever the locale: JSON requires it and terminals expect it. */
  static PrintStream stream(OutputStream out) {
    var buffered = new BufferedOutputStream(out, BUFFER);
    return new PrintStream(buffered, false, StandardCharsets.UTF_8);
  }

  /** The width of charts: {@code COLUMNS}, or the terminal's width. */
  int width() {
    return Math.clamp(columns(), MIN_WIDTH, MAX_WIDTH);
  }

  /** The width of text, like {@link #width}, but nothing is cut or wrapped for a program. */
  int textWidth() {
    return isColumnsSet() || terminalColumns.get().isPresent()
        ? Math.clamp(columns(), MIN_TEXT_WIDTH, MAX_WIDTH)
        : TerminalWriter.UNLIMITED;
  }

  /** The width of lines that are redrawn, which must not exceed the real width. */
  int liveWidth() {
    return Math.clamp(columns(), MIN_LIVE_WIDTH, MAX_WIDTH);
  }

  private int columns() {
    return isColumnsSet()
        ? Integer.parseInt(environment.getOrDefault("COLUMNS", ""))
        : terminalColumns.get().orElse(DEFAULT_WIDTH);
  }

  private boolean isColumnsSet() {
    return COLUMNS.matcher(environment.getOrDefault("COLUMNS", "")).matches();
  }

  /** Whether lines can be redrawn. */
  boolean supportsLiveOutput() {
    return !environment.getOrDefault("TERM", "").equals("dumb")
        && terminalColumns.get().isPresent();
  }

  /** A countdown that starts now. */
  Countdown countdown(Duration length) {
    long begin = System.nanoTime();
    return new Countdown(length, () -> Duration.ofNanos(System.nanoTime() - begin));
  }

  /** Waits this long, or until the thread is interrupted; the interrupt flag stays set. */
  void sleep(Duration length) {
    long end = System.nanoTime() + length.toNanos();
    long left = length.toNanos();
    while (left > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(left);
      left = end - System.nanoTime();
    }
  }

  /** A unique name. */
  String randomName() {
    return UUID.randomUUID().toString();
  }

  /** How this command line was called, for commands in hints. */
  String commandPrefix() {
    String call = environment.getOrDefault("PERDURE_CALL", "perdure");
    return PLAIN.matcher(call).matches() ? call : "'" + call.replace("'", "'\\''") + "'";
  }

  /** Whether to use color by default: on a terminal, unless {@code NO_COLOR} is set. */
  boolean wantsColor() {
    return environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb")
        && terminalColumns.get().isPresent();
  }
}
