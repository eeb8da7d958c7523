// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.store.CallersTransaction;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Lifecycle;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The context of one attempt; remembers what the handler said about its end. */
final class AttemptContext implements TaskContext {

  private static final Duration SHORTEST_SNOOZE = Duration.ofMillis(1);

  private final Running running;
  private final Means means;
  private final Lifecycle lifecycle;
  private final Sources.Monotonic monotonic;
  private volatile @Nullable String result;
  private volatile @Nullable Outcome said;
  private volatile boolean sawStop;

  AttemptContext(Running running, Means means, Lifecycle lifecycle, Sources.Monotonic monotonic) {
    this.running = running;
    this.means = means;
    this.lifecycle = lifecycle;
    this.monotonic = monotonic;
  }

  /** What the handler said about the end of its attempt; success if it said nothing. */
  Outcome outcome() {
    Outcome spoken = said;
    return spoken == null ? new Outcome.Succeeded(result) : spoken;
  }

  /** True when the handler said how its attempt ends, whatever it threw afterwards. */
  boolean hasSaid() {
    return said != null;
  }

  /** True when the handler knows that it should stop. To be asked on the handler's own thread. */
  boolean sawStop() {
    return sawStop || Thread.currentThread().isInterrupted();
  }

  @Override
  public Task task() {
    return running.task();
  }

  @Override
  public long attempt() {
    return task().counting().attempt();
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
    return means.tracer().attempt(task());
  }

  @Override
  public boolean stopping() {
    boolean stopping = running.stopped() != null;
    if (stopping) {
      sawStop = true;
    }
    return stopping;
  }

  @Override
  public RuntimeException handBack() {
    if (!stopping()) {
      throw new IllegalStateException("handBack: nobody asked the attempt to stop; snooze instead");
    }
    said = new Outcome.HandedBack();
    throw new TaskSignal("handed back");
  }

  @Override
  public void result(Object value) {
    result = means.payloads().write("result", value);
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
    return failed(explicit(reason).withAskedDelay(delay));
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
            : failure.withMessage(Failures.cut(message, Failures.MOST_MESSAGE_CHARACTERS)));
  }

  @Override
  public long lendHandle() {
    Long handle = task().handleEpoch();
    if (handle == null) {
      throw new IllegalStateException("lendHandle: needs a task that has a lane");
    }
    running.lend();
    return handle;
  }

  @Override
  public RuntimeException entrust(@Nullable String cancelAction) {
    if (task().handleEpoch() == null || task().definition().timeout() == null) {
      throw new IllegalStateException("entrust: needs a task that has a lane and a timeout");
    }
    said = new Outcome.Entrusted(cancelAction);
    throw new TaskSignal("entrusted to a callee");
  }

  @Override
  public RuntimeException snooze(Duration delay) {
    // Shorter than the store can tell from nothing, it would come back at once, again and again.
    if (delay.compareTo(SHORTEST_SNOOZE) < 0) {
      throw new IllegalArgumentException("snooze: must be 1 ms or more, not " + delay);
    }
    said = new Outcome.Snoozed(delay);
    throw new TaskSignal("snooze for " + delay);
  }

  @Override
  public RuntimeException park(String reason) {
    said = new Outcome.Parked(Failures.cut(reason, Failures.MOST_MESSAGE_CHARACTERS));
    throw new TaskSignal("parked: " + reason);
  }

  @Override
  public void settleIn(CallersTransaction transaction) {
    Outcome done = new Outcome.Succeeded(result);
    Change change = lifecycle.settle(task(), done, running.databaseTime(monotonic.now()));
    running.settledByHandler(change);
    Verdict verdict = transaction.apply(List.of(change)).getFirst();
    if (!verdict.applied()) {
      throw new IllegalStateException(
          "the attempt is no longer this worker's to end: task "
              + task().id()
              + " is "
              + verdict.state()
              + " in epoch "
              + verdict.epoch());
    }
  }

  private RuntimeException failed(Failure failure) {
    said = new Outcome.Failed(failure, null);
    throw new TaskSignal("" + failure.message());
  }

  private static Failure explicit(@Nullable String reason) {
    Failure failure = Failure.of(FailureKind.EXPLICIT);
    return reason == null
        ? failure
        : failure.withMessage(Failures.cut(reason, Failures.MOST_MESSAGE_CHARACTERS));
  }
}
