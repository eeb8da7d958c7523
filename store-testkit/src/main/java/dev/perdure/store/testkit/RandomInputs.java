// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.ImportedHistory;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.IllegalTransitionException;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.policy.Failure;
import dev.perdure.testing.FakeClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** What a random walk hands to the stores. */
final class RandomInputs {

  private static final int EVENT_COUNT = 13;

  private final RandomGenerator random;
  private final FakeClock clock;
  private final TaskLifecycle taskLifecycle = new TaskLifecycle(new LossLimit(2));

  RandomInputs(RandomGenerator random, FakeClock clock) {
    this.random = random;
    this.clock = clock;
  }

  TaskDefinition definition(String kind) {
    TestTask testTask =
        random.nextBoolean() ? TestTask.withoutRetry(kind) : TestTask.retrying(kind);
    if (random.nextBoolean()) {
      testTask = testTask.withTimeout(Duration.ofSeconds(1 + random.nextInt(90)));
    }
    if (random.nextInt(4) == 0) {
      testTask = testTask.withDeadline(clock.instant().plusSeconds(random.nextInt(600)));
    }
    if (random.nextBoolean()) {
      testTask = testTask.withPriority(random.nextInt(-1000, 1001));
    }
    return testTask.withName("Task " + random.nextInt(100)).definition();
  }

  Due due() {
    return switch (random.nextInt(4)) {
      case 0 -> Due.unchanged();
      case 1 -> Due.at(clock.instant().plusMillis(random.nextInt(-60_000, 60_000)));
      case 2 -> Due.in(Duration.ofMillis(random.nextInt(120_000)));
      default -> Due.now();
    };
  }

  /** Up to four attempts, of which the oldest may be forgotten. */
  ImportedHistory importedHistory() {
    long first = random.nextInt(3);
    int size = 1 + random.nextInt(4);
    List<ImportedHistory.PriorAttempt> attempts = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Duration endedAgo = Duration.ofSeconds(10L * (size - i - 1));
      Failure failure = Failure.http(503).withMessage("before " + i);
      Duration delay = Duration.ofMillis(random.nextInt(20_000));
      attempts.add(
          new ImportedHistory.PriorAttempt(
              first + i,
              endedAgo.plusMillis(random.nextInt(9_000)),
              endedAgo,
              AttemptDetails.failure(failure, random.nextBoolean() ? "at y" : null, delay)));
    }
    return new ImportedHistory("elsewhere", Duration.ofSeconds(random.nextInt(600)), attempts);
  }

  /** Something that is legal for the task as it was read, if the dice find it. */
  Optional<TaskChange> change(Task task) {
    for (int i = 0; i < EVENT_COUNT; i++) {
      try {
        return Optional.of(decide(task, random.nextInt(EVENT_COUNT)));
      } catch (IllegalTransitionException illegal) {
        // Another throw.
      }
    }
    return Optional.empty();
  }

  private TaskChange decide(Task task, int event) {
    Instant now = clock.instant();
    return switch (event) {
      case 0 -> taskLifecycle.start(task);
      case 1 -> taskLifecycle.settle(task, new Outcome.Succeeded("{\"n\": 1}"), now);
      case 2, 3 -> taskLifecycle.settle(task, failed(), now);
      case 4 -> taskLifecycle.settle(task, new Outcome.Snoozed(Duration.ofSeconds(20)), now);
      case 5 -> taskLifecycle.settle(task, new Outcome.HandedBack(), now);
      case 6 -> taskLifecycle.settle(task, new Outcome.Parked("who can read this?"), now);
      case 7 -> taskLifecycle.workerLost(task);
      case 8 ->
          random.nextBoolean()
              ? taskLifecycle.timeOut(task, now)
              : taskLifecycle.settle(task, new Outcome.TimedOut(), now);
      case 9 -> random.nextBoolean() ? taskLifecycle.expire(task) : taskLifecycle.cancel(task);
      case 10 -> taskLifecycle.pause(task);
      case 11 -> taskLifecycle.resume(task);
      default ->
          task.state().isTerminal()
              ? taskLifecycle.revive(task)
              : taskLifecycle.retryAt(task, due());
    };
  }

  private Outcome failed() {
    Failure failure =
        Failure.http(random.nextInt(400, 600)).withCode("c" + random.nextInt(3)).withMessage("?");
    return new Outcome.Failed(failure.withPermanent(random.nextInt(4) == 0), "at x");
  }
}
