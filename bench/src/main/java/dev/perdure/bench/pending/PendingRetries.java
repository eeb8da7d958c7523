// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.pending;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Measures the cost of calls that wait for a retry. By default 100,000 calls fail once and are
 * retried after 2 s. The report shows the heap per waiting call, the CPU time of all calls, and the
 * time until the last one completes.
 *
 * <p>Every run is a separate process. All options can be omitted:
 *
 * <ul>
 *   <li>{@code --calls}: number of calls.
 *   <li>{@code --delay}: delay before the retry, such as {@code PT2S}. All calls must have started,
 *       and the heap must be measured, before the first retry: use a longer delay on a slow
 *       machine.
 *   <li>{@code --runs}: runs per library.
 *   <li>{@code --warm-up}: calls made before the measurement. With 10,000 most of the JIT
 *       compilation happens during the measurement, with 500,000 almost none.
 * </ul>
 */
public final class PendingRetries {

  private static final List<String> CONTENDERS = List.of("perdure", "resilience4j", "failsafe");

  private int calls = 100_000;
  private Duration delay = Duration.ofSeconds(2);
  private int runs = 3;
  private int warmUp = 10_000;

  PendingRetries(String[] args) {
    for (int i = 0; i + 1 < args.length; i += 2) {
      String value = args[i + 1];
      switch (args[i]) {
        case "--calls" -> calls = Integer.parseInt(value);
        case "--delay" -> delay = Duration.parse(value);
        case "--runs" -> runs = Integer.parseInt(value);
        case "--warm-up" -> warmUp = Integer.parseInt(value);
        default -> throw new IllegalArgumentException("Unknown option: " + args[i]);
      }
    }
  }

  public static void main(String[] args) throws InterruptedException {
    new PendingRetries(args).compare();
  }

  private void compare() throws InterruptedException {
    System.out.printf(
        "%,d calls fail once and are retried after %s, after %,d warm-up calls;"
            + " min / median / max of %d runs%n%n",
        calls, delay, warmUp, runs);
    System.out.printf(
        "%-14s %26s %26s %26s %12s%n",
        "", "heap per waiting call, B", "CPU time, ms", "total time, ms", "completed");
    Map<String, List<PendingResult>> all = new HashMap<>();
    // The contenders take turns, so that a change in machine speed affects all of them.
    for (int run = 0; run < runs; run++) {
      for (String contender : CONTENDERS) {
        all.computeIfAbsent(contender, any -> new ArrayList<>()).add(run(contender));
      }
    }
    CONTENDERS.forEach(contender -> print(contender, all.getOrDefault(contender, List.of())));
  }

  private static void print(String contender, List<PendingResult> results) {
    System.out.printf(
        "%-14s %26s %26s %26s %12s%n",
        contender,
        medianRange(results, PendingResult::heapBytes),
        medianRange(results, PendingResult::cpuMillis),
        medianRange(results, PendingResult::wallMillis),
        "%,d".formatted(results.stream().mapToLong(PendingResult::completed).min().orElse(0)));
  }

  private PendingResult run(String contender) throws InterruptedException {
    return run(contender, calls, delay, warmUp);
  }

  /** Runs one contender in a separate process. */
  static PendingResult run(String contender, int calls, Duration delay, int warmUp)
      throws InterruptedException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xms1g",
            "-Xmx1g",
            "-XX:+UseSerialGC",
            // By default only every fourth collection compacts fully. The others may leave dead
            // objects in 5 % of the old generation, which is more than all waiting calls hold.
            "-XX:MarkSweepAlwaysCompactCount=1",
            "-cp",
            System.getProperty("java.class.path"),
            PendingRun.class.getName(),
            contender,
            Integer.toString(calls),
            delay.toString(),
            Integer.toString(warmUp));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      List<String> lines = lines(process);
      process.waitFor();
      return PendingResult.parse(lines);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot start " + command, e);
    }
  }

  private static List<String> lines(Process process) throws IOException {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      return output.lines().toList();
    }
  }

  private static String medianRange(
      List<PendingResult> results, ToLongFunction<PendingResult> part) {
    long[] sorted =
        results.stream().mapToLong(part).filter(f -> f != PendingResult.UNKNOWN).toArray();
    if (sorted.length < results.size()) {
      return "too slow: raise --delay";
    }
    Arrays.sort(sorted);
    return "%,d / %,d / %,d"
        .formatted(sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]);
  }
}
