// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

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
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskChange;
import java.time.Instant;
import java.util.List;

/** Forwards every call. Subclasses override some of them. */
public class ForwardingStore implements TaskStore {

  protected final TaskStore inner;

  protected ForwardingStore(TaskStore inner) {
    this.inner = inner;
  }

  @Override
  public SubmissionReceipt submit(Submission submission) {
    return inner.submit(submission);
  }

  @Override
  public boolean isSubmitted(Submission.SubmissionKeyDigest key) {
    return inner.isSubmitted(key);
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> changes) {
    return inner.apply(changes);
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    return inner.claim(request);
  }

  @Override
  public List<WriteResult> heartbeat(List<Heartbeat> heartbeats) {
    return inner.heartbeat(heartbeats);
  }

  @Override
  public List<WriteResult> addProgress(List<ProgressReport> reports) {
    return inner.addProgress(reports);
  }

  @Override
  public WriteResult update(TaskUpdate update) {
    return inner.update(update);
  }

  @Override
  public NodeRegistry nodes() {
    return inner.nodes();
  }

  @Override
  public MaintenanceStore maintenance() {
    return inner.maintenance();
  }

  @Override
  public RollupStore rollups() {
    return inner.rollups();
  }

  @Override
  public OverviewStore overview() {
    return inner.overview();
  }

  @Override
  public TaskReader reader() {
    return inner.reader();
  }

  @Override
  public BatchStore batches() {
    return inner.batches();
  }

  @Override
  public LimitStore limits() {
    return inner.limits();
  }

  @Override
  public ScheduleStore schedules() {
    return inner.schedules();
  }

  @Override
  public DependencyStore dependencies() {
    return inner.dependencies();
  }

  @Override
  public Outbox outbox() {
    return inner.outbox();
  }

  @Override
  public Subscription listen(Runnable wake) {
    return inner.listen(wake);
  }

  @Override
  public void wake() {
    inner.wake();
  }

  @Override
  public Instant now() {
    return inner.now();
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
