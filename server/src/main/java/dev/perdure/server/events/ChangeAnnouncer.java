// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.events;

import dev.perdure.engine.EngineListener;
import dev.perdure.engine.schedule.FiringProblem;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Tells other nodes that this one changed something that event streams report, so that theirs say
 * so. The store merges announcements: it sends one a second at most.
 */
public final class ChangeAnnouncer implements EngineListener {

  private final TaskStore store;

  public ChangeAnnouncer(TaskStore store) {
    this.store = store;
  }

  @Override
  public void onSubmitted(int tasks) {
    store.announceChanges();
  }

  @Override
  public void onStarted(Lease lease, Instant now) {
    store.announceChanges();
  }

  @Override
  public void onChanged(Task before, TaskChange change, Duration ran) {
    store.announceChanges();
  }

  @Override
  public void onBatchEnded(UUID batch, BatchOutcome outcome) {
    store.announceChanges();
  }

  @Override
  public void onSchedulesChanged() {
    store.announceChanges();
  }

  @Override
  public void onFiringFailed(List<FiringProblem> problems) {
    store.announceChanges();
  }

  @Override
  public void onDeliveryAttempted(String trigger, DeliveryOutcome outcome, Duration took) {
    store.announceChanges();
  }
}
