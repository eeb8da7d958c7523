// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.Addition;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Shards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what attempts elsewhere report, and writes one sum for each: thousands of reports a
 * second on one task are a hundred writes or less. Each is answered when its part is durable.
 *
 * <p>A sum that the store refuses although its lease is held has one in it that does not fit, or
 * found somebody in the way. Then the counters are read, and the reports are taken in their order
 * as far as they fit; one that does not is refused alone.
 */
final class Tallier {

  private static final Duration LINGER = Duration.ofMillis(10);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(2);
  private static final int MOST_TRIES = 8;

  private final TaskStore store;
  private final Gatherer<Addition, Answer> gatherer;

  /**
   * What became of one report.
   *
   * @param problem why it is not known to be written; null when the verdict tells
   */
  private record Answer(Verdict verdict, boolean overflow, @Nullable StoreException problem) {}

  Tallier(TaskStore store, Workers workers) {
    this.store = store;
    this.gatherer = new Gatherer<>("tally", workers, LINGER, this::write);
  }

  /**
   * Adds it, and returns when it is durable.
   *
   * @return the verdict; one that is refused is stale
   * @throws CounterOverflowException when it does not fit
   */
  Verdict add(Addition addition) {
    Answer answer = gatherer.write(addition);
    if (answer.problem() != null) {
      throw answer.problem();
    }
    if (answer.overflow()) {
      throw new CounterOverflowException(addition.key().task());
    }
    if (answer.verdict().holds(addition.key())) {
      throw new StoreException(
          "task %s is being written by somebody else".formatted(addition.key().task()),
          null,
          StoreException.Sort.UNAVAILABLE);
    }
    return answer.verdict();
  }

  private List<Answer> write(List<Addition> additions) {
    Map<LeaseKey, Sum> sums = new LinkedHashMap<>();
    List<Report> reports = new ArrayList<>(additions.size());
    for (Addition addition : additions) {
      Sum sum = sums.computeIfAbsent(addition.key(), Sum::new);
      Report report = new Report(addition, sum);
      sum.reports.add(report);
      reports.add(report);
    }
    sums.values().forEach(sum -> sum.takeOnTopOf(Progress.NONE));
    sums.values().stream()
        .collect(Collectors.groupingBy(sum -> Shards.of(sum.key.task())))
        .values()
        .forEach(this::writeAll);
    return reports.stream().map(Report::answer).toList();
  }

  /** Writes sums of one shard: of those that are still open all are written at once, or none. */
  private void writeAll(List<Sum> all) {
    List<Sum> open = all;
    try {
      for (int i = 0; i < MOST_TRIES && !open.isEmpty(); i++) {
        if (i > 1) {
          LockSupport.parkNanos(FIRST_PAUSE.toNanos() << i);
        }
        add(open);
        open = open.stream().filter(Sum::isOpen).toList();
        open = open.stream().filter(this::fits).toList();
      }
    } catch (StoreException problem) {
      notWritten(open, problem);
    }
  }

  private void add(List<Sum> sums) {
    List<Verdict> verdicts = store.figures().add(sums.stream().map(Sum::addition).toList());
    for (int place = 0; place < sums.size(); place++) {
      sums.get(place).verdict = verdicts.get(place);
    }
  }

  /** Those that are written are not spoiled by it: who is told so adds once more. */
  private void notWritten(List<Sum> open, StoreException problem) {
    if (problem.unavailable() || open.size() == 1) {
      open.forEach(sum -> sum.problem = problem);
    } else {
      open.forEach(sum -> writeAll(List.of(sum)));
    }
  }

  /** Takes the reports on top of what the counters say now; false when none of them fits. */
  private boolean fits(Sum sum) {
    return store
        .reader()
        .find(sum.key.task())
        .map(task -> sum.takeOnTopOf(task.progress()))
        .orElse(false);
  }

  /** One report, and whether it fits. */
  private static final class Report {

    private final Addition addition;
    private final Sum sum;
    private boolean fits;

    Report(Addition addition, Sum sum) {
      this.addition = addition;
      this.sum = sum;
    }

    Answer answer() {
      boolean stale = !sum.verdict.applied() && !sum.isOpen();
      return new Answer(sum.verdict, !fits && !stale, sum.problem);
    }
  }

  /** The reports of one lease. */
  private static final class Sum {

    private final LeaseKey key;
    private final List<Report> reports = new ArrayList<>();
    private Verdict verdict = Verdict.missing();
    private @Nullable StoreException problem;
    private long success;
    private long failures;
    private @Nullable Duration lease;

    Sum(LeaseKey key) {
      this.key = key;
    }

    /** Adds up those that fit on top of what the counters are; tells whether any does. */
    boolean takeOnTopOf(Progress before) {
      success = 0;
      failures = 0;
      lease = null;
      for (Report report : reports) {
        Addition one = report.addition;
        report.fits =
            one.success() <= room(before.success()) - success
                && one.failures() <= room(before.failures()) - failures;
        if (report.fits) {
          take(one);
        }
      }
      return reports.stream().anyMatch(report -> report.fits);
    }

    /** A handler may have set a counter to less than nothing. */
    private static long room(long counter) {
      return Long.MAX_VALUE - Math.max(0, counter);
    }

    private void take(Addition one) {
      success += one.success();
      failures += one.failures();
      Duration asked = one.lease();
      boolean longer = asked != null && (lease == null || asked.compareTo(lease) > 0);
      lease = longer ? asked : lease;
    }

    boolean isOpen() {
      return verdict.holds(key);
    }

    Addition addition() {
      return new Addition(key, success, failures, lease);
    }
  }
}
