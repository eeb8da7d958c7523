// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.ImportedHistory;
import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DueTime;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Random inputs for a random walk. */
final class RandomInputs {

  private static final int EVENT_COUNT = 15;

  private final RandomGenerator random;
  private final FakeClock clock;
  private final TaskLifecycle lifecycle = new TaskLifecycle(new LossLimit(2));

  RandomInputs(RandomGenerator random, FakeClock clock) {
    this.random = random;
    this.clock = clock;
  }

  TaskDefinition definition(String kind) {
    TestTask task = random.nextBoolean() ? TestTask.withoutRetry(kind) : TestTask.retrying(kind);
    if (random.nextBoolean()) {
      task = task.withTimeout(Duration.ofSeconds(1 + random.nextInt(90)));
    }
    if (random.nextInt(4) == 0) {
      task = task.withDeadline(clock.instant().plusSeconds(random.nextInt(600)));
    }
    if (random.nextBoolean()) {
      task = task.withPriority(random.nextInt(-1000, 1001));
    }
    return task.withName("Task " + random.nextInt(100)).definition();
  }

  DueTime due() {
    return switch (random.nextInt(4)) {
      case 0 -> DueTime.unchanged();
      case 1 -> DueTime.at(clock.instant().plusMillis(random.nextInt(-60_000, 60_000)));
      case 2 -> DueTime.in(Duration.ofMillis(random.nextInt(120_000)));
      default -> DueTime.now();
    };
  }

  /** Returns up to four attempts. The oldest ones may be missing. */
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

  /** Returns random dependencies of tasks on earlier tasks of the list and on stored tasks. */
  List<Dependency> dependencies(List<NewTaskRow> rows, List<UUID> stored) {
    List<Dependency> all = new ArrayList<>();
    for (int child = 0; child < rows.size(); child++) {
      Set<UUID> parents = new LinkedHashSet<>();
      for (int parent = 0; parent < child; parent++) {
        if (random.nextInt(3) == 0) {
          parents.add(rows.get(parent).id());
        }
      }
      for (int i = 0; i < 2 && !stored.isEmpty(); i++) {
        if (random.nextInt(3) == 0) {
          parents.add(stored.get(random.nextInt(stored.size())));
        }
      }
      for (UUID parent : parents) {
        all.add(new Dependency(parent, rows.get(child).id(), random.nextInt(4) > 0));
      }
    }
    return all;
  }

  /**
   * Returns a random change that is legal for the task as it was read, or nothing if none was
   * found.
   */
  Optional<TaskChange> change(Task task) {
    for (int i = 0; i < EVENT_COUNT; i++) {
      try {
        return Optional.of(decide(task, random.nextInt(EVENT_COUNT)));
      } catch (IllegalTransitionException illegal) {
        // Try another event.
      }
    }
    return Optional.empty();
  }

  /** Decides about a task that needs a decision because of its parents, as the engine does. */
  TaskChange decide(Task task) {
    return ParentStatus.of(task).mustFail() ? lifecycle.failUpstream(task) : lifecycle.revive(task);
  }

  private TaskChange decide(Task task, int event) {
    Instant now = clock.instant();
    return switch (event) {
      case 0 -> lifecycle.start(task);
      case 1 -> lifecycle.settle(task, new Outcome.Succeeded("{\"n\": 1}"), now);
      case 2, 3 -> lifecycle.settle(task, failed(), now);
      case 4 -> lifecycle.settle(task, new Outcome.Snoozed(Duration.ofSeconds(20)), now);
      case 5 -> lifecycle.settle(task, new Outcome.HandedBack(), now);
      case 6 -> lifecycle.settle(task, new Outcome.Parked("unreadable"), now);
      case 7 -> lifecycle.workerLost(task);
      case 8 ->
          random.nextBoolean()
              ? lifecycle.timeOut(task, now)
              : lifecycle.settle(task, new Outcome.TimedOut(), now);
      case 9 -> random.nextBoolean() ? lifecycle.expire(task) : lifecycle.cancel(task);
      case 10 -> lifecycle.pause(task);
      case 11 -> lifecycle.resume(task);
      case 12 -> lifecycle.resolve(task, random.nextBoolean() ? null : "{\"n\": 2}", "by hand");
      case 13 -> lifecycle.reviveIgnoringDependencies(task);
      default ->
          task.state().isTerminal() ? lifecycle.revive(task) : lifecycle.reschedule(task, due());
    };
  }

  private Outcome failed() {
    Failure failure =
        Failure.http(random.nextInt(400, 600)).withCode("c" + random.nextInt(3)).withMessage("?");
    return new Outcome.Failed(failure.withPermanent(random.nextInt(4) == 0), "at x");
  }
}
