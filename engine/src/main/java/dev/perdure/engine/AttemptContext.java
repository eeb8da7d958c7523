// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.query.BatchReader;
import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.spi.CallerTransaction;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The context of one attempt. It remembers how the handler asked the attempt to end. */
final class AttemptContext implements TaskContext {

  private static final Duration MIN_SNOOZE = Duration.ofMillis(1);
  private static final int MAX_PARENTS = 1_000;

  private final RunningAttempt running;
  private final PayloadCodec payloadCodec;
  private final TaskTracer tracer;
  private final TaskLifecycle lifecycle;
  private final BatchReader batches;
  private final EngineEnvironment.MonotonicClock monotonic;
  private volatile @Nullable String result;
  private volatile @Nullable Outcome requestedOutcome;
  private volatile boolean sawStopRequest;

  AttemptContext(
      RunningAttempt running,
      PayloadCodec payloadCodec,
      TaskTracer tracer,
      TaskLifecycle lifecycle,
      BatchReader batches,
      EngineEnvironment.MonotonicClock monotonic) {
    this.running = running;
    this.payloadCodec = payloadCodec;
    this.tracer = tracer;
    this.lifecycle = lifecycle;
    this.batches = batches;
    this.monotonic = monotonic;
  }

  /** How the handler asked the attempt to end; success if it did not. */
  Outcome outcome() {
    Outcome requested = requestedOutcome;
    return requested == null ? new Outcome.Succeeded(result) : requested;
  }

  /** True when the handler asked for an outcome, whatever it threw afterwards. */
  boolean hasRequestedOutcome() {
    return requestedOutcome != null;
  }

  /** True when the handler knows that it should stop. Call it on the handler's own thread. */
  boolean sawStopRequest() {
    return sawStopRequest || Thread.currentThread().isInterrupted();
  }

  @Override
  public Task task() {
    return running.task();
  }

  @Override
  public long attempt() {
    return task().retryCounters().attempt();
  }

  @Override
  public String idempotencyKey() {
    String given = task().definition().idempotencyKey();
    return given == null ? task().id().toString() : given;
  }

  @Override
  public String attemptKey() {
    return idempotencyKey() + ":" + attempt();
  }

  @Override
  public TraceContext traceParent() {
    return tracer.attemptParent(task());
  }

  @Override
  public boolean stopping() {
    boolean stopping = running.stopReason() != null;
    if (stopping) {
      sawStopRequest = true;
    }
    return stopping;
  }

  @Override
  public RuntimeException handBack() {
    if (!stopping()) {
      throw new IllegalStateException(
          "handBack: the attempt was not asked to stop; use snooze instead");
    }
    requestedOutcome = new Outcome.HandedBack();
    throw new HandlerExitException("handed back");
  }

  @Override
  public ParentResult parent(String id) {
    ParentTask parent = batches.namedParents(task().id(), Set.of(id)).get(id);
    if (parent == null) {
      throw new NoSuchElementException(
          "task %s does not depend on '%s'".formatted(task().id(), id));
    }
    return new ParentResult(parent, payloadCodec);
  }

  @Override
  public List<ParentResult> parents() {
    return batches.parents(task().id(), null, MAX_PARENTS, ParentTask.MAX_RESULT_BYTES).stream()
        .map(parent -> new ParentResult(parent, payloadCodec))
        .toList();
  }

  @Override
  public BatchContext batch() {
    UUID id = task().batch();
    return new BatchContext(id, batches.definition(id).orElse(BatchDefinition.NONE), payloadCodec);
  }

  @Override
  public void result(Object value) {
    result = payloadCodec.write("result", value);
  }

  @Override
  public void progress(long done, long total) {
    if (done < 0 || total < 0) {
      throw new IllegalArgumentException(
          "progress: must be 0 or more, not " + done + " of " + total);
    }
    running.progress(done, total, monotonic.now());
  }

  @Override
  public RuntimeException retryAfter(Duration delay, @Nullable String reason) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("retryAfter: must not be negative, not " + delay);
    }
    return failed(explicit(reason).withRequestedDelay(delay));
  }

  @Override
  public RuntimeException permanent(@Nullable String reason) {
    return failed(explicit(reason).withPermanent(true));
  }

  @Override
  public RuntimeException fail(String code, @Nullable String reason) {
    return failed(explicit(reason).withCode(requireNonNull(code, "code")));
  }

  @Override
  public RuntimeException fail(Failure failure) {
    String message = failure.message();
    return failed(
        message == null
            ? failure
            : failure.withMessage(
                FailureConverter.truncate(message, FailureConverter.MAX_MESSAGE_CHARACTERS)));
  }

  @Override
  public long issueHandle() {
    Long handle = task().handleEpoch();
    if (handle == null) {
      throw new IllegalStateException("issueHandle: the task has no queue");
    }
    running.markHandleIssued();
    return handle;
  }

  @Override
  public RuntimeException handOff(@Nullable String cancelAction) {
    if (task().handleEpoch() == null || task().definition().timeout() == null) {
      throw new IllegalStateException("handOff: the task needs a queue and a timeout");
    }
    requestedOutcome = new Outcome.HandedOff(cancelAction);
    throw new HandlerExitException("handed off to a callee");
  }

  @Override
  public RuntimeException snooze(Duration delay) {
    // A delay that the store rounds to 0 would bring the task back at once, again and again.
    if (delay.compareTo(MIN_SNOOZE) < 0) {
      throw new IllegalArgumentException("snooze: must be 1 ms or more, not " + delay);
    }
    requestedOutcome = new Outcome.Snoozed(delay);
    throw new HandlerExitException("snooze for " + delay);
  }

  @Override
  public RuntimeException park(String reason) {
    requestedOutcome =
        new Outcome.Parked(
            FailureConverter.truncate(reason, FailureConverter.MAX_MESSAGE_CHARACTERS));
    throw new HandlerExitException("parked: " + reason);
  }

  @Override
  public void settleIn(CallerTransaction transaction) {
    Outcome done = new Outcome.Succeeded(result);
    TaskChange change = lifecycle.settle(task(), done, running.databaseTime(monotonic.now()));
    running.settledByHandler(change);
    WriteResult written = transaction.apply(List.of(change)).getFirst();
    if (!written.applied()) {
      throw new IllegalStateException(
          "settleIn: this worker no longer holds the attempt: task "
              + task().id()
              + " is "
              + written.state()
              + " in epoch "
              + written.epoch());
    }
  }

  private RuntimeException failed(Failure failure) {
    requestedOutcome = new Outcome.Failed(failure, null);
    throw new HandlerExitException("" + failure.message());
  }

  private static Failure explicit(@Nullable String reason) {
    Failure failure = Failure.of(FailureKind.EXPLICIT);
    return reason == null
        ? failure
        : failure.withMessage(
            FailureConverter.truncate(reason, FailureConverter.MAX_MESSAGE_CHARACTERS));
  }
}
