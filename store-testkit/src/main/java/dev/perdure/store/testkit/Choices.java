// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.task.AttemptNote;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Definition;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Lifecycle;
import dev.perdure.engine.task.LossLimit;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Past;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRefusedException;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** What a random walk hands to the stores. */
final class Choices {

  private static final int EVENTS = 13;

  private final RandomGenerator random;
  private final FakeClock clock;
  private final Lifecycle lifecycle = new Lifecycle(new LossLimit(2));

  Choices(RandomGenerator random, FakeClock clock) {
    this.random = random;
    this.clock = clock;
  }

  Definition definition(String kind) {
    Given given = random.nextBoolean() ? Given.plain(kind) : Given.retrying(kind);
    if (random.nextBoolean()) {
      given = given.withTimeout(Duration.ofSeconds(1 + random.nextInt(90)));
    }
    if (random.nextInt(4) == 0) {
      given = given.withDeadline(clock.instant().plusSeconds(random.nextInt(600)));
    }
    if (random.nextBoolean()) {
      given = given.withPriority(random.nextInt(-1000, 1001));
    }
    return given.withName("Task " + random.nextInt(100)).definition();
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
  Past past() {
    long first = random.nextInt(3);
    int size = 1 + random.nextInt(4);
    List<Past.Failed> attempts = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Duration endedAgo = Duration.ofSeconds(10L * (size - i - 1));
      Failure failure = Failure.http(503).withMessage("before " + i);
      Duration delay = Duration.ofMillis(random.nextInt(20_000));
      attempts.add(
          new Past.Failed(
              first + i,
              endedAgo.plusMillis(random.nextInt(9_000)),
              endedAgo,
              AttemptNote.failure(failure, random.nextBoolean() ? "at y" : null, delay)));
    }
    return new Past("elsewhere", Duration.ofSeconds(random.nextInt(600)), attempts);
  }

  /** Something that is legal for the task as it was read, if the dice find it. */
  Optional<Change> change(Task task) {
    for (int i = 0; i < EVENTS; i++) {
      try {
        return Optional.of(decide(task, random.nextInt(EVENTS)));
      } catch (TaskRefusedException illegal) {
        // Another throw.
      }
    }
    return Optional.empty();
  }

  private Change decide(Task task, int event) {
    Instant now = clock.instant();
    return switch (event) {
      case 0 -> lifecycle.start(task);
      case 1 -> lifecycle.settle(task, new Outcome.Succeeded("{\"n\": 1}"), now);
      case 2, 3 -> lifecycle.settle(task, failed(), now);
      case 4 -> lifecycle.settle(task, new Outcome.Snoozed(Duration.ofSeconds(20)), now);
      case 5 -> lifecycle.settle(task, new Outcome.HandedBack(), now);
      case 6 -> lifecycle.settle(task, new Outcome.Parked("who can read this?"), now);
      case 7 -> lifecycle.lose(task);
      case 8 ->
          random.nextBoolean()
              ? lifecycle.timeOut(task, now)
              : lifecycle.settle(task, new Outcome.TimedOut(), now);
      case 9 -> random.nextBoolean() ? lifecycle.expire(task) : lifecycle.cancel(task);
      case 10 -> lifecycle.pause(task);
      case 11 -> lifecycle.resume(task);
      default ->
          task.state().isTerminal() ? lifecycle.revive(task) : lifecycle.retryAt(task, due());
    };
  }

  private Outcome failed() {
    Failure failure =
        Failure.http(random.nextInt(400, 600)).withCode("c" + random.nextInt(3)).withMessage("?");
    return new Outcome.Failed(failure.withPermanent(random.nextInt(4) == 0), "at x");
  }
}
