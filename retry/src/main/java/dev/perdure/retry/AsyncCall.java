// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.util.Objects.requireNonNull;

import dev.perdure.policy.Failure;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * An asynchronous call: the future that the caller holds, and the attempts behind it.
 *
 * It moves by hand-over: an attempt's stage completes, the course decides, a timer waits, the
 * executor starts the next attempt. Only one of these is under way at a time, so the course needs
 * no lock; each hand-over is a happens-before edge. What is under way stands in one field:
 *
 *   null           nothing yet: the executor has been asked to run the next attempt
 *   a stage        an attempt; whoever takes it away by compare-and-set has heard its end
 *   a Next.Wait    a timer is being asked for; it may fire before it is known by name
 *   a Cancellable  that timer
 *
 * From the side comes the caller, who may cancel or complete this future at any time. He first
 * completes it and then calls off what he finds under way; the call first says what is under way
 * and then looks whether it is completed. One of the two sees the other.
 *
 * Everything that can throw is caught: what escapes into a timer, an executor or a stage is heard
 * by nobody, and the caller would wait for ever.
 *
 * Being future, timer task and executor task in one keeps a waiting retry small: 100,000 may wait.
 */
final class AsyncCall<T extends @Nullable Object> extends CompletableFuture<T> implements Runnable {

  private static final VarHandle UNDER_WAY = underWayHandle();

  private final Function<? super RetryContext, ? extends CompletionStage<T>> call;
  private final Course course;
  private volatile @Nullable Object underWay;

  AsyncCall(Settings settings, Function<? super RetryContext, ? extends CompletionStage<T>> call) {
    this(new Course(settings), call);
  }

  AsyncCall(Course course, Function<? super RetryContext, ? extends CompletionStage<T>> call) {
    this.call = call;
    this.course = course;
  }

  private static VarHandle underWayHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(AsyncCall.class, "underWay", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  CompletableFuture<T> start() {
    course.depart();
    attempt();
    return this;
  }

  /** Called by the timer, whose thread only hands on, since user code must not hold it up. */
  @Override
  public void run() {
    if (isDone()) {
      return;
    }
    if (underWay == null) {
      attempt();
    } else {
      underWay = null;
      enqueue();
    }
  }

  private void attempt() {
    course.beginAttempt();
    Permit permit = Permit.NONE;
    try {
      permit = Permit.ask(course.settings());
      CompletionStage<T> work =
          requireNonNull(call.apply(course), "the call returned null instead of a stage");
      listen(TimedStage.of(course.settings(), work), permit);
    } catch (Throwable thrown) {
      if (thrown instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      permit.failed(thrown);
      failed(Unwrapping.of(thrown));
    }
  }

  private void listen(CompletionStage<T> stage, Permit permit) {
    underWay = stage;
    // Not whenComplete: for the stage that it returns, and that nobody looks at, it would wrap
    // every failure in a CompletionException with a stack trace.
    stage.handle(
        (result, thrown) -> {
          // A stage of poor make may say twice that it ended.
          if (UNDER_WAY.compareAndSet(this, stage, null)) {
            ended(permit, result, thrown);
          }
          return true;
        });
    if (isDone()) {
      callOff();
    }
  }

  private void ended(Permit permit, T result, @Nullable Throwable thrown) {
    if (thrown == null) {
      answered(permit, result);
      return;
    }
    Throwable failure = Unwrapping.of(thrown);
    permit.failed(failure);
    failed(failure);
  }

  private void answered(Permit permit, T result) {
    Failure fault;
    try {
      fault = course.settings().faultOf(result);
    } catch (Throwable broken) {
      permit.succeeded();
      Course.Next.Stop stop = course.broken(Failure.exception(broken), null, broken);
      completeExceptionally(course.told(broken, stop.reason()));
      return;
    }
    if (fault != null) {
      permit.refused(fault);
    } else {
      permit.succeeded();
    }
    if (isDone()) {
      return;
    }
    if (fault == null) {
      course.tellSuccess();
      complete(result);
      return;
    }
    switch (course.afterRefusal(fault)) {
      case Course.Next.Stop stop -> complete(result);
      case Course.Next.Wait next -> plan(next);
      case Course.Next.HandOver over -> handOver(over, null);
    }
  }

  private void failed(Throwable thrown) {
    if (isDone()) {
      return;
    }
    Course.Next.Stop end = course.endFromOutside(thrown, false);
    switch (end != null ? end : course.afterFailure(thrown)) {
      case Course.Next.Stop stop -> completeExceptionally(course.told(thrown, stop.reason()));
      case Course.Next.Wait next -> plan(next);
      case Course.Next.HandOver over -> handOver(over, thrown);
    }
  }

  /** On the executor, since it may block; or here, when the executor takes nothing any more. */
  private void handOver(Course.Next.HandOver over, @Nullable Throwable thrown) {
    try {
      course.settings().executor().execute(() -> deliver(over, thrown));
    } catch (Throwable refusedByExecutor) {
      deliver(over, thrown);
    }
  }

  private void deliver(Course.Next.HandOver over, @Nullable Throwable thrown) {
    if (!isDone()) {
      completeExceptionally(over.deliver(thrown));
    }
  }

  /** Never on this stack: attempts that fail at once would pile up on it. */
  private void plan(Course.Next.Wait next) {
    if (next.delay().isZero()) {
      enqueue();
      return;
    }
    underWay = next;
    try {
      Waits.Cancellable timer = course.settings().waits().schedule(this, next.delay());
      if (UNDER_WAY.compareAndSet(this, next, timer) && isDone()) {
        timer.cancel();
      }
    } catch (Throwable refusedByTimer) {
      endBroken(refusedByTimer);
    }
  }

  private void enqueue() {
    try {
      course.settings().executor().execute(this);
    } catch (Throwable refusedByExecutor) {
      endBroken(refusedByExecutor);
    }
  }

  /** The answer is the failure of the attempt; or, after a refused result, what broke. */
  private void endBroken(Throwable broken) {
    Throwable answer = course.previousFailure().orElse(broken);
    if (course.stranded(Failure.exception(answer), answer, broken)
        instanceof Course.Next.HandOver over) {
      handOver(over, answer);
    } else {
      completeExceptionally(course.told(answer, StopReason.CANNOT_GO_ON));
    }
  }

  @Override
  public boolean complete(T value) {
    return calledOffIf(super.complete(value));
  }

  @Override
  public boolean completeExceptionally(Throwable thrown) {
    return calledOffIf(super.completeExceptionally(thrown));
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return calledOffIf(super.cancel(mayInterruptIfRunning));
  }

  private boolean calledOffIf(boolean ended) {
    if (ended) {
      callOff();
    }
    return ended;
  }

  private void callOff() {
    Object stopping = underWay;
    if (stopping instanceof CompletionStage<?> stage) {
      ForeignStages.cancel(stage);
    } else if (stopping instanceof Waits.Cancellable timer) {
      callOff(timer);
    }
  }

  private static void callOff(Waits.Cancellable timer) {
    try {
      timer.cancel();
    } catch (RuntimeException e) {
      Complaints.log("a timer could not be called off", e);
    }
  }
}
