// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Adds up progress reports of remote attempts and writes one sum for each lease: thousands of
 * reports a second on one task become a hundred writes or fewer. Each report is answered when it is
 * durable.
 *
 * <p>When the store does not apply a sum although the lease is held, either the sum overflows a
 * counter or another write was in the way. Then the counters are read and the reports are taken in
 * their order as far as they fit; a report that does not fit is refused alone.
 */
final class ProgressBatcher {

  private static final Duration LINGER = Duration.ofMillis(10);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(2);
  private static final int MAX_TRIES = 8;

  private final TaskStore store;
  private final WriteBatcher<ProgressReport, ReportResult> batcher;

  /**
   * The result of one report.
   *
   * @param problem why it is unknown whether the report was written; null when {@code result} says
   *     so
   */
  private record ReportResult(
      WriteResult result, boolean overflow, @Nullable StoreException problem) {}

  ProgressBatcher(TaskStore store, EngineExecutor executor) {
    this.store = store;
    this.batcher = new WriteBatcher<>("progress", executor, LINGER, this::write);
  }

  /**
   * Adds the report and returns when it is durable.
   *
   * @return the result; a report that was not applied is stale
   * @throws CounterOverflowException when a counter would overflow
   */
  WriteResult add(ProgressReport report) {
    ReportResult reportResult = batcher.write(report);
    if (reportResult.problem() != null) {
      throw reportResult.problem();
    }
    if (reportResult.overflow()) {
      throw new CounterOverflowException(report.key().task());
    }
    if (reportResult.result().isLeaseStillHeld(report.key())) {
      throw new StoreException(
          "task %s is locked by another write; try again".formatted(report.key().task()),
          null,
          StoreException.ErrorKind.UNAVAILABLE);
    }
    return reportResult.result();
  }

  private List<ReportResult> write(List<ProgressReport> reports) {
    Map<LeaseKey, LeaseTotal> totals = new LinkedHashMap<>();
    List<PendingReport> pendingReports = new ArrayList<>(reports.size());
    for (ProgressReport report : reports) {
      LeaseTotal total = totals.computeIfAbsent(report.key(), LeaseTotal::new);
      PendingReport pending = new PendingReport(report, total);
      total.reports.add(pending);
      pendingReports.add(pending);
    }
    totals.values().forEach(total -> total.sumWhatFits(Progress.NONE));
    totals.values().stream()
        .collect(Collectors.groupingBy(total -> Shards.of(total.key.task())))
        .values()
        .forEach(this::writeAll);
    return pendingReports.stream().map(PendingReport::result).toList();
  }

  /** Writes the sums of one shard; each try writes all that are still open, or none. */
  private void writeAll(List<LeaseTotal> all) {
    List<LeaseTotal> open = all;
    try {
      for (int i = 0; i < MAX_TRIES && !open.isEmpty(); i++) {
        if (i > 1) {
          LockSupport.parkNanos(FIRST_PAUSE.toNanos() << i);
        }
        add(open);
        open = open.stream().filter(LeaseTotal::isOpen).toList();
        open = open.stream().filter(this::fits).toList();
      }
    } catch (StoreException problem) {
      retryOneByOne(open, problem);
    }
  }

  private void add(List<LeaseTotal> totals) {
    List<WriteResult> results =
        store.addProgress(totals.stream().map(LeaseTotal::toReport).toList());
    for (int i = 0; i < totals.size(); i++) {
      totals.get(i).result = results.get(i);
    }
  }

  /**
   * Sums that are already written stay successful: a caller that got an error would add its items
   * twice.
   */
  private void retryOneByOne(List<LeaseTotal> open, StoreException problem) {
    if (problem.unavailable() || open.size() == 1) {
      open.forEach(total -> total.problem = problem);
    } else {
      open.forEach(total -> writeAll(List.of(total)));
    }
  }

  /** Sums the reports that fit on top of the stored counters; false when none fits. */
  private boolean fits(LeaseTotal total) {
    return store
        .reader()
        .find(total.key.task())
        .map(task -> total.sumWhatFits(task.progress()))
        .orElse(false);
  }

  /** One report, and whether it fits. */
  private static final class PendingReport {

    private final ProgressReport report;
    private final LeaseTotal total;
    private boolean fits;

    PendingReport(ProgressReport report, LeaseTotal total) {
      this.report = report;
      this.total = total;
    }

    ReportResult result() {
      boolean stale = !total.result.applied() && !total.isOpen();
      return new ReportResult(total.result, !fits && !stale, total.problem);
    }
  }

  /** The sum of the reports of one lease. */
  private static final class LeaseTotal {

    private final LeaseKey key;
    private final List<PendingReport> reports = new ArrayList<>();
    private WriteResult result = WriteResult.notFound();
    private @Nullable StoreException problem;
    private long success;
    private long failures;
    private @Nullable Duration lease;

    LeaseTotal(LeaseKey key) {
      this.key = key;
    }

    /** Sums the reports that fit on top of these counters; returns whether any does. */
    boolean sumWhatFits(Progress before) {
      success = 0;
      failures = 0;
      lease = null;
      for (PendingReport pending : reports) {
        ProgressReport one = pending.report;
        pending.fits =
            one.success() <= headroom(before.success()) - success
                && one.failures() <= headroom(before.failures()) - failures;
        if (pending.fits) {
          take(one);
        }
      }
      return reports.stream().anyMatch(pending -> pending.fits);
    }

    /** Handlers may have set a counter below zero. */
    private static long headroom(long counter) {
      return Long.MAX_VALUE - Math.max(0, counter);
    }

    private void take(ProgressReport one) {
      success += one.success();
      failures += one.failures();
      Duration requested = one.lease();
      boolean longer = requested != null && (lease == null || requested.compareTo(lease) > 0);
      lease = longer ? requested : lease;
    }

    boolean isOpen() {
      return result.isLeaseStillHeld(key);
    }

    ProgressReport toReport() {
      return new ProgressReport(key, success, failures, lease);
    }
  }
}
