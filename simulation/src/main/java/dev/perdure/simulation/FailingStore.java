// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.spi.BatchStore;
import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.DependencyStore;
import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.spi.Outbox;
import dev.perdure.engine.spi.OverviewStore;
import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.RollupStore;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.TaskUpdate;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskChange;
import java.time.Instant;
import java.util.List;

/** The database behind the unreliable connection of one process. */
final class FailingStore implements TaskStore {

  /** A result that the database refuses to store. */
  static final String REJECTED_RESULT = "unstorable";

  private final TaskStore inner;
  private final UnreliableConnection connection;
  private final InvariantChecker checker;

  FailingStore(TaskStore inner, UnreliableConnection connection, InvariantChecker checker) {
    this.inner = inner;
    this.connection = connection;
    this.checker = checker;
  }

  @Override
  public SubmissionReceipt submit(Submission submission) {
    return connection.write("submit", () -> inner.submit(submission));
  }

  @Override
  public boolean isSubmitted(Submission.SubmissionKeyDigest key) {
    return connection.read("is submitted", () -> inner.isSubmitted(key));
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> changes) {
    return connection.write(
        "apply",
        () -> {
          changes.forEach(FailingStore::requireStorable);
          return inner.apply(changes);
        });
  }

  private static void requireStorable(TaskChange change) {
    AttemptDetails details = change.attemptDetails();
    if (details != null && details.result() != null && details.result().contains(REJECTED_RESULT)) {
      throw new StoreException(
          "the result cannot be stored", null, StoreException.ErrorKind.REFUSED);
    }
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    ClaimResult result = connection.write("claim", () -> inner.claim(request));
    result.leases().forEach(lease -> checker.claimReceived(lease.task().lease()));
    return result;
  }

  @Override
  public List<WriteResult> heartbeat(List<Heartbeat> heartbeats) {
    return connection.write("heartbeat", () -> inner.heartbeat(heartbeats));
  }

  @Override
  public List<WriteResult> addProgress(List<ProgressReport> reports) {
    return connection.write("addProgress", () -> inner.addProgress(reports));
  }

  @Override
  public WriteResult update(TaskUpdate update) {
    return connection.write("update", () -> inner.update(update));
  }

  @Override
  public NodeRegistry nodes() {
    return new FailingNodeRegistry(inner.nodes(), connection);
  }

  @Override
  public MaintenanceStore maintenance() {
    return new FailingMaintenance(inner.maintenance(), connection, checker);
  }

  @Override
  public RollupStore rollups() {
    return new FailingRollupStore(inner.rollups(), connection);
  }

  @Override
  public OverviewStore overview() {
    return inner.overview();
  }

  @Override
  public TaskReader reader() {
    return new FailingTaskReader(inner.reader(), connection);
  }

  @Override
  public BatchStore batches() {
    return new FailingBatchStore(inner.batches(), connection);
  }

  @Override
  public LimitStore limits() {
    return new FailingLimitStore(inner.limits(), connection);
  }

  @Override
  public ScheduleStore schedules() {
    return new FailingScheduleStore(inner.schedules(), connection);
  }

  @Override
  public DependencyStore dependencies() {
    DependencyStore dependencies = inner.dependencies();
    return limit -> connection.write("propagate", () -> dependencies.propagate(limit));
  }

  @Override
  public Outbox outbox() {
    return new FailingOutbox(inner.outbox(), connection);
  }

  @Override
  public Subscription listen(Runnable wake) {
    return inner.listen(wake);
  }

  @Override
  public void wake() {
    connection.read(
        "wake",
        () -> {
          inner.wake();
          return true;
        });
  }

  @Override
  public Instant now() {
    return connection.read("now", inner::now);
  }

  @Override
  public int shards() {
    return inner.shards();
  }

  @Override
  public void close() {
    inner.close();
  }
}
