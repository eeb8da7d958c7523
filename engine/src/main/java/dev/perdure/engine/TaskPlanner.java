// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.SeededRandom;
import dev.perdure.engine.query.AttemptRow;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.DecisionPreview.DelayBounds;
import dev.perdure.policy.DurationWords;
import dev.perdure.policy.Failure;
import dev.perdure.policy.InstantText;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.DecisionWords;
import dev.perdure.policy.explain.RepresentativeFailure;
import dev.perdure.policy.explain.RetryForecast;
import dev.perdure.policy.json.PolicyJson;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plans the attempts of a task from what is stored. Pure: it asks the policy what the engine will
 * ask it.
 *
 * <p>A delay that a callee asked for is not stored as such. The delay that the policy would have
 * drawn is known, because it depends only on the task and the attempt. If the stored delay is a
 * different one, it was asked for, and the plan assumes that it is asked for again.
 */
public final class TaskPlanner {

  /** How many attempts to read: losses and snoozes can follow the last failure. */
  public static final int ATTEMPTS_NEEDED = 20;

  /** Clocks of nodes are this close to the database's. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(5);

  private final Task task;
  private final List<AttemptRow> newest;
  private final Instant now;
  private final RetryPolicy policy;
  private final List<String> why = new ArrayList<>();

  private TaskPlanner(Task task, List<AttemptRow> newest, Instant now, RetryPolicy policy) {
    this.task = task;
    this.newest = newest;
    this.now = now;
    this.policy = policy;
  }

  /**
   * Plans the attempts of the task.
   *
   * @param newest its newest attempts, newest first
   */
  public static TaskPlan plan(Task task, List<AttemptRow> newest, Instant now) {
    String stored = task.definition().policy();
    try {
      RetryPolicy policy = stored == null ? RetryPolicy.none() : PolicyJson.read(stored);
      return new TaskPlanner(task, newest, now, policy).plan();
    } catch (InvalidPolicyException unreadable) {
      return new TaskPlan(
          List.of("Its policy cannot be read, so a failure parks it."), List.of(), null, false);
    }
  }

  private TaskPlan plan() {
    return switch (task.state()) {
      case SUCCESS -> ended("succeeded", "It succeeded.");
      case CANCELED -> ended("canceled", "It was canceled.");
      case FAILURE -> failed();
      case WAITING, PENDING -> unstarted();
      case RETRY_PENDING -> waiting();
      case CLAIMED, RUNNING -> running();
    };
  }

  private TaskPlan failed() {
    TaskGiveUpReason reason = task.lastResult().giveUpReason();
    String text = reason == null ? TaskGiveUpReason.NOT_RETRYABLE.text() : reason.text();
    return ended(text, "It failed and is not retried: %s.".formatted(text.replace('_', ' ')));
  }

  private TaskPlan ended(String reason, String words) {
    Instant at = task.times().endedAt() == null ? task.times().updatedAt() : task.times().endedAt();
    TaskPlan.End end = new TaskPlan.End(reason, task.retryCounters().attempt(), at, at);
    return new TaskPlan(List.of(words), List.of(), end, false);
  }

  /** The next attempt only: whether it fails, and how, is not known. */
  private TaskPlan unstarted() {
    boolean waits = task.state() == TaskState.WAITING;
    if (waits) {
      int unmet = task.dependencies().unmet();
      why.add(
          unmet == 1
              ? "It waits for another task."
              : "It waits for %d other tasks.".formatted(unmet));
    }
    addHold();
    Instant due = task.times().dueAt();
    long attempt = task.retryCounters().attempt();
    TaskPlan.Coming next =
        new TaskPlan.Coming(attempt, waits ? null : due, due, waits ? null : due, !waits, null);
    return new TaskPlan(why, List.of(next), null, !policy.isNone());
  }

  private TaskPlan waiting() {
    Attempt last = lastFailure();
    Failure failure = last == null ? assumed() : explain(last);
    addHold();
    RetryCounters counters = task.retryCounters();
    Instant due = task.times().dueAt();
    Integer step = task.row().place() == null ? null : task.row().place().step();
    TaskPlan.Coming next = new TaskPlan.Coming(counters.attempt(), due, due, due, true, step);
    return following(failure, due.isBefore(now) ? now : due, List.of(next));
  }

  private TaskPlan running() {
    Attempt last = lastFailure();
    why.add("An attempt is running. This is what follows if it fails.");
    Failure failure = last == null ? assumed() : repeated(last);
    RetryCounters counters = task.retryCounters();
    why.addAll(
        DecisionWords.of(
            policy,
            new DecisionContext(counters.policyAttempt(), age(now), now, counters.previousDelay()),
            failure));
    return following(failure, now, List.of());
  }

  private Failure assumed() {
    return RepresentativeFailure.of(policy);
  }

  private TaskPlan following(Failure failure, Instant failsAt, List<TaskPlan.Coming> first) {
    RetryCounters counters = task.retryCounters();
    RetryForecast forecast =
        RetryForecast.of(
            policy,
            failure,
            new RetryForecast.Position(
                counters.policyAttempt(),
                failsAt,
                task.times().retrySince(),
                counters.previousDelay()),
            TaskPlan.MAX_COMING - first.size());
    List<TaskPlan.Coming> coming = new ArrayList<>(first);
    forecast
        .retries()
        .forEach(retry -> coming.add(TaskPlan.Coming.of(counters.retryBase(), retry)));
    RetryForecast.End end = forecast.end();
    why.addAll(DecisionWords.expiry(policy));
    TaskPlan.End planned =
        end == null
            ? null
            : new TaskPlan.End(
                end.reason().text(),
                counters.retryBase() + end.afterAttempt(),
                end.earliest(),
                end.latest());
    return DeadlineCut.apply(
        new TaskPlan(why, coming, planned, end == null), task.definition().deadline(), now);
  }

  private void addHold() {
    if (task.paused()) {
      why.add("It is paused, and starts when it is resumed.");
    } else if (task.parked()) {
      why.add("It is parked: %s".formatted(task.lastResult().failureReason()));
    } else if (task.state().isClaimable() && !task.times().dueAt().isAfter(now)) {
      why.add("It is due, and waits for a free slot.");
    }
  }

  private @Nullable Attempt lastFailure() {
    return newest.stream()
        .map(AttemptRow::attempt)
        .filter(attempt -> attempt.details().failureKind() != null)
        .filter(attempt -> attempt.number() >= task.retryCounters().retryBase())
        .findFirst()
        .orElse(null);
  }

  /** Says why the retry waits, and returns the failure to repeat. */
  private Failure explain(Attempt last) {
    Failure failure = repeated(last);
    Failure own = failure.withRequestedDelay(null);
    why.addAll(DecisionWords.of(policy, contextOf(last), own));
    if (last.delay() != null) {
      String delay = DurationWords.of(last.delay());
      why.add(
          failure.requestedDelay() == null
              ? "It drew %s. No Retry-After changed that.".formatted(delay)
              : "A delay of %s was asked for instead, such as by Retry-After.".formatted(delay));
    }
    Instant due = task.times().dueAt();
    if (last.nextAttemptAt() != null && !last.nextAttemptAt().equals(due)) {
      why.add("It was moved to %s.".formatted(InstantText.of(due)));
    }
    return failure;
  }

  private Failure repeated(Attempt last) {
    Failure failure = last.details().failure();
    Failure own = failure == null ? assumed() : failure;
    return last.delay() != null && wasAskedFor(last, last.delay(), own)
        ? own.withRequestedDelay(last.delay())
        : own;
  }

  private boolean wasAskedFor(Attempt last, Duration delay, Failure failure) {
    DecisionContext context = contextOf(last);
    if (!(policy.preview(context, failure) instanceof DelayBounds bounds)) {
      return false;
    }
    Decision drawn = policy.decide(context, failure, SeededRandom.of(task.id(), last.number()));
    if (drawn instanceof Decision.Retry retry && retry.delay().equals(delay)) {
      return false;
    }
    boolean inRange = delay.compareTo(bounds.earliest()) >= 0 && isAtMost(delay, bounds.latest());
    return !(inRange && isInexact(last, context, failure, bounds));
  }

  /** True if another random source drew the delay, or if it depends on the exact instant. */
  private boolean isInexact(
      Attempt last, DecisionContext context, Failure failure, DelayBounds bounds) {
    Instant later = last.endedAt().plus(CLOCK_TOLERANCE);
    DecisionContext then = context.withNow(later).withAge(age(later));
    return HistoryImporter.WORKER.equals(last.worker())
        || !policy.preview(then, failure).equals(bounds);
  }

  private static boolean isAtMost(Duration delay, Duration latest) {
    return delay.compareTo(latest.plus(CLOCK_TOLERANCE)) <= 0;
  }

  /** What the engine knew when this attempt failed. */
  private DecisionContext contextOf(Attempt last) {
    return new DecisionContext(
        Math.max(0, last.number() - task.retryCounters().retryBase()),
        age(last.endedAt()),
        last.endedAt(),
        delayBefore(last));
  }

  private @Nullable Duration delayBefore(Attempt last) {
    return newest.stream()
        .map(AttemptRow::attempt)
        .filter(attempt -> attempt.number() == last.number() - 1)
        .filter(attempt -> attempt.number() >= task.retryCounters().retryBase())
        .filter(attempt -> attempt.details().failureKind() != null)
        .flatMap(attempt -> Stream.ofNullable(attempt.delay()))
        .findFirst()
        .orElse(null);
  }

  private Duration age(Instant at) {
    Duration age = Duration.between(task.times().retrySince(), at);
    return age.isNegative() ? Duration.ZERO : age;
  }
}
