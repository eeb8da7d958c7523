// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

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
 * The world around one call of the command line: all that it sees of it. The only place of the
 * command line that reads a clock or draws by chance.
 *
 * @param terminalColumns the columns of the terminal that {@code out} is; empty when it is none.
 *     Asked for only when needed, since the answer costs a process
 * @param inputIsTerminal whether {@code in} is somebody who types; likewise
 */
public record CliContext(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    Supplier<OptionalInt> terminalColumns,
    BooleanSupplier inputIsTerminal,
    Instant now) {

  /** What a shell takes as one word. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./+@:,-]+");

  private static final int BUFFER = 16 * 1024;
  private static final int MIN_WIDTH = 60;
  private static final int MIN_LIVE_WIDTH = 20;
  private static final int MAX_WIDTH = 160;
  private static final int DEFAULT_WIDTH = 80;

  /** The one that this process runs in. */
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

  /** UTF-8 whatever the locale says: JSON must be, and every terminal of today is. */
  static PrintStream stream(OutputStream out) {
    var buffered = new BufferedOutputStream(out, BUFFER);
    return new PrintStream(buffered, false, StandardCharsets.UTF_8);
  }

  /** How wide to write: as {@code COLUMNS} says, else as the terminal is. */
  int width() {
    return Math.clamp(columns(), MIN_WIDTH, MAX_WIDTH);
  }

  /** How wide a line may be that is written over: no wider than it really is. */
  int liveWidth() {
    return Math.clamp(columns(), MIN_LIVE_WIDTH, MAX_WIDTH);
  }

  private int columns() {
    String columns = environment.getOrDefault("COLUMNS", "");
    return columns.matches("[1-9]\\d{0,5}")
        ? Integer.parseInt(columns)
        : terminalColumns.get().orElse(DEFAULT_WIDTH);
  }

  /** Whether what was written can be written over. */
  boolean supportsLiveOutput() {
    return !environment.getOrDefault("TERM", "").equals("dumb")
        && terminalColumns.get().isPresent();
  }

  /** Time that runs out after this length, from now on. */
  Countdown countdown(Duration length) {
    long begin = System.nanoTime();
    return new Countdown(length, () -> Duration.ofNanos(System.nanoTime() - begin));
  }

  /** Waits so long, or until the thread is interrupted; the interrupt stays set. */
  void sleep(Duration length) {
    long end = System.nanoTime() + length.toNanos();
    long left = length.toNanos();
    while (left > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(left);
      left = end - System.nanoTime();
    }
  }

  /** A name that nothing else has. */
  String randomName() {
    return UUID.randomUUID().toString();
  }

  /** How this command line is called, for what its reader shall type. */
  String commandPrefix() {
    String call = environment.getOrDefault("PERDURE_CALL", "perdure");
    return PLAIN.matcher(call).matches() ? call : "'" + call.replace("'", "'\\''") + "'";
  }

  /** Whether to write in colour when nobody said so: on a terminal, unless {@code NO_COLOR}. */
  boolean wantsColor() {
    return environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb")
        && terminalColumns.get().isPresent();
  }
}
