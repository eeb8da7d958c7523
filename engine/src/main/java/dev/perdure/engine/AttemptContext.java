// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.store.TaskWriter;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Lifecycle;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The context of one attempt; remembers what the handler said about its end. */
final class AttemptContext implements TaskContext {

  private final Running running;
  private final Payloads payloads;
  private final Lifecycle lifecycle;
  private final Sources.Monotonic monotonic;
  private volatile @Nullable String result;
  private volatile @Nullable Outcome said;

  AttemptContext(
      Running running, Payloads payloads, Lifecycle lifecycle, Sources.Monotonic monotonic) {
    this.running = running;
    this.payloads = payloads;
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
  public boolean stopping() {
    return running.stopped() != null;
  }

  @Override
  public void result(Object value) {
    result = payloads.write("result", value);
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
  public RuntimeException retryAfter(Duration delay, String reason) {
    requirePositive("retryAfter", delay);
    return failed(explicit(reason).withAskedDelay(delay));
  }

  @Override
  public RuntimeException permanent(String reason) {
    return failed(explicit(reason).withPermanent(true));
  }

  @Override
  public RuntimeException fail(String code, String reason) {
    return failed(explicit(reason).withCode(requireNonNull(code, "code")));
  }

  @Override
  public RuntimeException snooze(Duration delay) {
    requirePositive("snooze", delay);
    said = new Outcome.Snoozed(delay);
    throw new TaskSignal("snooze for " + delay);
  }

  @Override
  public void settleIn(TaskWriter transaction) {
    Outcome done = new Outcome.Succeeded(result);
    Change change = lifecycle.settle(task(), done, running.databaseTime(monotonic.now()));
    running.settledByHandler();
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

  private static Failure explicit(String reason) {
    return Failure.of(FailureKind.EXPLICIT)
        .withMessage(Failures.cut(reason, Failures.MOST_MESSAGE_CHARACTERS));
  }

  private static void requirePositive(String field, Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException(field + ": must not be negative, not " + delay);
    }
  }
}
