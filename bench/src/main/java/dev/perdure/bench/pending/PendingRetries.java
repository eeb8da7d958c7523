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
 * What does a call cost while it waits for its next attempt, when 100,000 wait at once? Each fails
 * once and is retried after 2 s: the heap that one waiting call holds, the processor time of all of
 * them, and the time until the last has ended.
 *
 * <p>Every run has a process of its own. Arguments, all optional: {@code --calls}, {@code --delay}
 * (as in {@code PT2S}; longer on a slow machine, since all calls must have been started and the
 * heap measured before the first retry), {@code --runs}, {@code --warm-up} (calls made before the
 * measured ones: 10,000 leave most of the compiling to those, 500,000 nearly none).
 */
public final class PendingRetries {

  private static final List<String> CONTENDERS = List.of("perdure", "resilience4j", "failsafe");

  private int calls = 100_000;
  private Duration delay = Duration.ofSeconds(2);
  private int runs = 3;
  private int warmUp = 10_000;

  private PendingRetries(String[] args) {
    for (int i = 0; i + 1 < args.length; i += 2) {
      String value = args[i + 1];
      switch (args[i]) {
        case "--calls" -> calls = Integer.parseInt(value);
        case "--delay" -> delay = Duration.parse(value);
        case "--runs" -> runs = Integer.parseInt(value);
        case "--warm-up" -> warmUp = Integer.parseInt(value);
        default -> throw new IllegalArgumentException("unknown argument " + args[i]);
      }
    }
  }

  public static void main(String[] args) throws InterruptedException {
    new PendingRetries(args).compare();
  }

  private void compare() throws InterruptedException {
    System.out.printf(
        "%,d calls, after %,d to warm up, fail once and are retried after %s;"
            + " min / median / max of %d runs%n%n",
        calls, warmUp, delay, runs);
    System.out.printf(
        "%-14s %26s %26s %26s %12s%n",
        "",
        "heap per waiting call, B",
        "processor time, ms",
        "until the last end, ms",
        "completed");
    Map<String, List<PendingResult>> all = new HashMap<>();
    // In turn, so that a machine that gets slower or faster does so for all.
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

  /** One run in a process of its own. */
  static PendingResult run(String contender, int calls, Duration delay, int warmUp)
      throws InterruptedException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xms1g",
            "-Xmx1g",
            "-XX:+UseSerialGC",
            // Without this only every fourth collection takes out all that is dead, and a twentieth
            // of the old generation may stay: more than what all waiting calls hold.
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
      throw new UncheckedIOException("could not start " + command, e);
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
