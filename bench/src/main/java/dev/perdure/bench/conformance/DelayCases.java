// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import static java.time.Duration.ofMillis;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

/** Requirements on the delays between attempts. */
final class DelayCases {

  private static final Duration CAP = ofMillis(40);
  private static final RetrySettings TO_THE_CAP =
      RetrySettings.growing(ofMillis(10), CAP).withJitter(0.5).withMaxRetries(6);
  private static final int AT_THE_CAP = 3;
  private static final int SAMPLES = 100;
  private static final int ROUNDS = 3;

  private DelayCases() {}

  static List<ConformanceCase> all() {
    return List.of(
        new ConformanceCase("jitter keeps its spread at the cap", Set.of(), DelayCases::spread),
        new ConformanceCase("no delay is longer than the cap", Set.of(), DelayCases::capped),
        new ConformanceCase(
            "delays do not overflow after 60 retries", Set.of(), DelayCases::noOverflow),
        new ConformanceCase(
            "no attempt comes earlier than the server's Retry-After",
            Set.of(Feature.DELAY_BY_FAILURE),
            DelayCases::notBeforeRetryAfter),
        new ConformanceCase(
            "delays do not shrink before the time limit",
            Set.of(Feature.TIME_LIMIT),
            DelayCases::noShrinkingDelays));
  }

  /** If most delays are equal, all clients return at the same time after a long outage. */
  private static CheckResult spread(Library library) throws Exception {
    Map<Long, Long> frequencies =
        sample(library, TO_THE_CAP).stream()
            .flatMap(delays -> delays.stream().skip(AT_THE_CAP))
            .collect(groupingBy(Duration::toMillis, counting()));
    long all = frequencies.values().stream().mapToLong(n -> n).sum();
    long most = Collections.max(frequencies.values());
    return CheckResult.of(
        2 * most <= all,
        "%d delays at a cap of %s: %d distinct values, %.0f %% are the most frequent one"
            .formatted(all, text(CAP), frequencies.size(), 100.0 * most / all));
  }

  private static CheckResult capped(Library library) throws Exception {
    Duration longest =
        sample(library, TO_THE_CAP).stream().flatMap(List::stream).max(Duration::compareTo).get();
    return CheckResult.of(
        longest.compareTo(CAP) <= 0,
        "the longest delay is %s, the cap is %s".formatted(text(longest), text(CAP)));
  }

  /** A long overflows after at most 62 doublings. */
  private static CheckResult noOverflow(Library library) throws Exception {
    Duration cap = ofMillis(4);
    List<Duration> delays =
        library.delays(RetrySettings.growing(ofMillis(1), cap).withMaxRetries(70));
    List<Duration> late = delays.subList(60, delays.size());
    return CheckResult.of(
        delays.size() == 70 && late.stream().allMatch(cap::equals),
        "%d retries; delays from the 61st on are %s to %s, the cap is %s"
            .formatted(
                delays.size(),
                text(Collections.min(late)),
                text(Collections.max(late)),
                text(cap)));
  }

  private static CheckResult notBeforeRetryAfter(Library library) throws Exception {
    RetrySettings settings =
        RetrySettings.fixed(ofMillis(20)).withJitter(0.5).withDelayByFailure().withMaxRetries(1);
    Duration shortest =
        sample(library, settings).stream().flatMap(List::stream).min(Duration::compareTo).get();
    return CheckResult.of(
        shortest.compareTo(ServerBusyException.RETRY_AFTER) >= 0,
        "the server asked for %s, the shortest delay is %s (jitter configured)"
            .formatted(text(ServerBusyException.RETRY_AFTER), text(shortest)));
  }

  /** If delays shrink when the limit is near, the call ends with a burst of attempts. */
  private static CheckResult noShrinkingDelays(Library library) throws Exception {
    Duration delay = ofMillis(40);
    Duration limit = ofMillis(100);
    RetrySettings settings = RetrySettings.fixed(delay).withTimeLimit(limit).withMaxRetries(1_000);
    List<AttemptLog> logs = new ArrayList<>();
    // Several rounds, because one pause of the machine could hide short delays in one round.
    for (int round = 0; round < ROUNDS; round++) {
      logs.addAll(ConcurrentCalls.run(10, () -> AttemptLog.ofFailing(library, settings)));
    }
    Duration shortest = logs.stream().map(AttemptLog::shortestWait).min(Duration::compareTo).get();
    return CheckResult.of(
        shortest.compareTo(delay) >= 0,
        "limit %s, delay %s: %d calls made %d to %d attempts, the shortest wait was %s"
            .formatted(
                text(limit),
                text(delay),
                logs.size(),
                logs.stream().mapToInt(AttemptLog::attempts).min().getAsInt(),
                logs.stream().mapToInt(AttemptLog::attempts).max().getAsInt(),
                text(shortest)));
  }

  /** The delays of many calls. The calls run concurrently because some libraries really wait. */
  private static List<List<Duration>> sample(Library library, RetrySettings settings)
      throws Exception {
    Callable<List<Duration>> call = () -> library.delays(settings);
    return ConcurrentCalls.run(SAMPLES, call);
  }

  private static String text(Duration duration) {
    long micros = duration.toNanos() / 1_000;
    return micros % 1_000 == 0 ? micros / 1_000 + " ms" : "%.1f ms".formatted(micros / 1_000.0);
  }
}
