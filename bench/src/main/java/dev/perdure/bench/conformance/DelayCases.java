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

/** How long the waits are. */
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
            "never earlier than a server's Retry-After",
            Set.of(Feature.DELAY_BY_FAILURE),
            DelayCases::notEarlierThanAsked),
        new ConformanceCase(
            "a time limit squeezes in no attempts before its end",
            Set.of(Feature.TIME_LIMIT),
            DelayCases::noShrinkingDelays));
  }

  /** When most of the delays are the same, the clients of a long outage come back together. */
  private static CheckResult spread(Library library) throws Exception {
    Map<Long, Long> frequencies =
        sample(library, TO_THE_CAP).stream()
            .flatMap(delays -> delays.stream().skip(AT_THE_CAP))
            .collect(groupingBy(Duration::toMillis, counting()));
    long all = frequencies.values().stream().mapToLong(n -> n).sum();
    long most = Collections.max(frequencies.values());
    return CheckResult.of(
        2 * most <= all,
        "%d delays at a cap of %s: %d different, the most frequent %.0f %%"
            .formatted(all, text(CAP), frequencies.size(), 100.0 * most / all));
  }

  private static CheckResult capped(Library library) throws Exception {
    Duration longest =
        sample(library, TO_THE_CAP).stream().flatMap(List::stream).max(Duration::compareTo).get();
    return CheckResult.of(
        longest.compareTo(CAP) <= 0,
        "the longest delay is %s, the cap %s".formatted(text(longest), text(CAP)));
  }

  /** A long doubles 62 times at most before it overflows. */
  private static CheckResult noOverflow(Library library) throws Exception {
    Duration cap = ofMillis(4);
    List<Duration> delays =
        library.delays(RetrySettings.growing(ofMillis(1), cap).withMaxRetries(70));
    List<Duration> late = delays.subList(60, delays.size());
    return CheckResult.of(
        delays.size() == 70 && late.stream().allMatch(cap::equals),
        "%d retries; from the 61st on they wait %s to %s, the cap is %s"
            .formatted(
                delays.size(),
                text(Collections.min(late)),
                text(Collections.max(late)),
                text(cap)));
  }

  private static CheckResult notEarlierThanAsked(Library library) throws Exception {
    RetrySettings settings =
        RetrySettings.fixed(ofMillis(20)).withJitter(0.5).withDelayByFailure().withMaxRetries(1);
    Duration earliest =
        sample(library, settings).stream().flatMap(List::stream).min(Duration::compareTo).get();
    return CheckResult.of(
        earliest.compareTo(ServerBusyException.RETRY_AFTER) >= 0,
        "the server asked for %s, the shortest delay is %s (jitter configured)"
            .formatted(text(ServerBusyException.RETRY_AFTER), text(earliest)));
  }

  /** When the waits shrink as the limit comes near, the last moments bring a burst. */
  private static CheckResult noShrinkingDelays(Library library) throws Exception {
    Duration delay = ofMillis(40);
    Duration limit = ofMillis(100);
    RetrySettings settings = RetrySettings.fixed(delay).withTimeLimit(limit).withMaxRetries(1_000);
    List<AttemptLog> logs = new ArrayList<>();
    // One after the other, lest a machine that stumbles once hides what they do.
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

  /** The delays of many calls, made together: some libraries really wait. */
  private static List<List<Duration>> sample(Library library, RetrySettings settings)
      throws Exception {
    Callable<List<Duration>> one = () -> library.delays(settings);
    return ConcurrentCalls.run(SAMPLES, one);
  }

  private static String text(Duration duration) {
    long micros = duration.toNanos() / 1_000;
    return micros % 1_000 == 0 ? micros / 1_000 + " ms" : "%.1f ms".formatted(micros / 1_000.0);
  }
}
