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
 * Adds up what attempts elsewhere report, and writes one sum for each: thousands of reports a
 * second on one task are a hundred writes or less. Each is answered when its part is durable.
 *
 * <p>A sum that the store refuses although its lease is held has one in it that does not fit, or
 * found somebody in the way. Then the counters are read, and the reports are taken in their order
 * as far as they fit; one that does not is refused alone.
 */
final class ProgressBatcher {

  private static final Duration LINGER = Duration.ofMillis(10);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(2);
  private static final int MAX_TRIES = 8;

  private final TaskStore store;
  private final WriteBatcher<ProgressReport, ReportResult> batcher;

  /**
   * What became of one report.
   *
   * @param problem why it is not known to be written; null when the verdict tells
   */
  private record ReportResult(
      WriteResult result, boolean overflow, @Nullable StoreException problem) {}

  ProgressBatcher(TaskStore store, EngineExecutor engineExecutor) {
    this.store = store;
    this.batcher = new WriteBatcher<>("tally", engineExecutor, LINGER, this::write);
  }

  /**
   * Adds it, and returns when it is durable.
   *
   * @return the verdict; one that is refused is stale
   * @throws CounterOverflowException when it does not fit
   */
  WriteResult add(ProgressReport progressReport) {
    ReportResult reportResult = batcher.write(progressReport);
    if (reportResult.problem() != null) {
      throw reportResult.problem();
    }
    if (reportResult.overflow()) {
      throw new CounterOverflowException(progressReport.key().task());
    }
    if (reportResult.result().isLeaseStillHeld(progressReport.key())) {
      throw new StoreException(
          "task %s is being written by somebody else".formatted(progressReport.key().task()),
          null,
          StoreException.ErrorKind.UNAVAILABLE);
    }
    return reportResult.result();
  }

  private List<ReportResult> write(List<ProgressReport> progressReports) {
    Map<LeaseKey, LeaseTotal> leaseTotals = new LinkedHashMap<>();
    List<PendingReport> pendingReports = new ArrayList<>(progressReports.size());
    for (ProgressReport progressReport : progressReports) {
      LeaseTotal leaseTotal = leaseTotals.computeIfAbsent(progressReport.key(), LeaseTotal::new);
      PendingReport pendingReport = new PendingReport(progressReport, leaseTotal);
      leaseTotal.pendingReports.add(pendingReport);
      pendingReports.add(pendingReport);
    }
    leaseTotals.values().forEach(leaseTotal -> leaseTotal.sumWhatFits(Progress.NONE));
    leaseTotals.values().stream()
        .collect(Collectors.groupingBy(leaseTotal -> Shards.of(leaseTotal.key.task())))
        .values()
        .forEach(this::writeAll);
    return pendingReports.stream().map(PendingReport::result).toList();
  }

  /** Writes sums of one shard: of those that are still open all are written at once, or none. */
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

  private void add(List<LeaseTotal> leaseTotals) {
    List<WriteResult> writeResults =
        store.counters().add(leaseTotals.stream().map(LeaseTotal::toReport).toList());
    for (int place = 0; place < leaseTotals.size(); place++) {
      leaseTotals.get(place).result = writeResults.get(place);
    }
  }

  /** Those that are written are not spoiled by it: who is told so adds once more. */
  private void retryOneByOne(List<LeaseTotal> open, StoreException problem) {
    if (problem.unavailable() || open.size() == 1) {
      open.forEach(leaseTotal -> leaseTotal.problem = problem);
    } else {
      open.forEach(leaseTotal -> writeAll(List.of(leaseTotal)));
    }
  }

  /** Takes the reports on top of what the counters say now; false when none of them fits. */
  private boolean fits(LeaseTotal leaseTotal) {
    return store
        .reader()
        .find(leaseTotal.key.task())
        .map(task -> leaseTotal.sumWhatFits(task.progress()))
        .orElse(false);
  }

  /** One report, and whether it fits. */
  private static final class PendingReport {

    private final ProgressReport report;
    private final LeaseTotal total;
    private boolean fits;

    PendingReport(ProgressReport progressReport, LeaseTotal leaseTotal) {
      this.report = progressReport;
      this.total = leaseTotal;
    }

    ReportResult result() {
      boolean stale = !total.result.applied() && !total.isOpen();
      return new ReportResult(total.result, !fits && !stale, total.problem);
    }
  }

  /** The reports of one lease. */
  private static final class LeaseTotal {

    private final LeaseKey key;
    private final List<PendingReport> pendingReports = new ArrayList<>();
    private WriteResult result = WriteResult.notFound();
    private @Nullable StoreException problem;
    private long success;
    private long failures;
    private @Nullable Duration lease;

    LeaseTotal(LeaseKey key) {
      this.key = key;
    }

    /** Adds up those that fit on top of what the counters are; tells whether any does. */
    boolean sumWhatFits(Progress before) {
      success = 0;
      failures = 0;
      lease = null;
      for (PendingReport pendingReport : pendingReports) {
        ProgressReport one = pendingReport.report;
        pendingReport.fits =
            one.success() <= room(before.success()) - success
                && one.failures() <= room(before.failures()) - failures;
        if (pendingReport.fits) {
          take(one);
        }
      }
      return pendingReports.stream().anyMatch(pendingReport -> pendingReport.fits);
    }

    /** A handler may have set a counter to less than nothing. */
    private static long room(long counter) {
      return Long.MAX_VALUE - Math.max(0, counter);
    }

    private void take(ProgressReport one) {
      success += one.success();
      failures += one.failures();
      Duration asked = one.lease();
      boolean longer = asked != null && (lease == null || asked.compareTo(lease) > 0);
      lease = longer ? asked : lease;
    }

    boolean isOpen() {
      return result.isLeaseStillHeld(key);
    }

    ProgressReport toReport() {
      return new ProgressReport(key, success, failures, lease);
    }
  }
}
