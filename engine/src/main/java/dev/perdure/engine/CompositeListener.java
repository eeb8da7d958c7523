// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.schedule.FiringProblem;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls all listeners. An exception of one does not affect the others. */
final class CompositeListener implements EngineListener {

  private static final Logger LOG = LoggerFactory.getLogger(CompositeListener.class);

  private final List<EngineListener> all;

  CompositeListener(List<EngineListener> all) {
    this.all = List.copyOf(all);
  }

  @Override
  public void onSubmitted(int tasks) {
    each(one -> one.onSubmitted(tasks));
  }

  @Override
  public void onSubmitted(Map<String, Integer> tasksByKind) {
    each(one -> one.onSubmitted(tasksByKind));
  }

  @Override
  public void onClaimed(int tasks, Duration took) {
    each(one -> one.onClaimed(tasks, took));
  }

  @Override
  public void onStarted(Lease lease, Instant now) {
    each(one -> one.onStarted(lease, now));
  }

  @Override
  public void onChanged(Task before, TaskChange change, Duration ran) {
    each(one -> one.onChanged(before, change, ran));
  }

  @Override
  public void onBatchEnded(UUID batch, BatchOutcome outcome) {
    each(one -> one.onBatchEnded(batch, outcome));
  }

  @Override
  public void onPropagated(int dependencies, Duration lag) {
    each(one -> one.onPropagated(dependencies, lag));
  }

  @Override
  public void onLimitsCorrected(int limits) {
    each(one -> one.onLimitsCorrected(limits));
  }

  @Override
  public void onDeliveryAttempted(String trigger, DeliveryOutcome outcome, Duration took) {
    each(one -> one.onDeliveryAttempted(trigger, outcome, took));
  }

  @Override
  public void onSchedulesChanged() {
    each(EngineListener::onSchedulesChanged);
  }

  @Override
  public void onFiringFailed(List<FiringProblem> problems) {
    each(one -> one.onFiringFailed(problems));
  }

  @Override
  public void onStaleWrite(LeaseKey key) {
    each(one -> one.onStaleWrite(key));
  }

  @Override
  public void onStoreError(String component, RuntimeException error) {
    each(one -> one.onStoreError(component, error));
  }

  @Override
  public void onSelfStop() {
    each(EngineListener::onSelfStop);
  }

  private void each(Consumer<EngineListener> call) {
    for (EngineListener one : all) {
      try {
        call.accept(one);
      } catch (Throwable problem) {
        // A listener built against another version of a library can throw an Error, which would
        // end a loop of the engine.
        LOG.warn("a listener threw an exception, which is ignored", problem);
      }
    }
  }
}
