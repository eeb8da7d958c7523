// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.NewTask;
import dev.perdure.policy.Backoff;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;

/** Generates random tasks. */
final class TaskGenerator {

  private static final Duration MAX_DELAY = Duration.ofSeconds(40);

  private static final List<RetryPolicy> POLICIES =
      List.of(
          RetryPolicy.none(),
          RetryPolicy.immediate().maxRetries(2).build(),
          RetryPolicy.fixed(Duration.ofSeconds(3)).maxRetries(3).jitter(Jitter.none()).build(),
          RetryPolicy.fixed(Duration.ofSeconds(10))
              .unlimitedRetries()
              .expiresAfter(Duration.ofSeconds(60))
              .build(),
          RetryPolicy.exponential(Duration.ofMillis(500))
              .maxRetries(5)
              .maxDelay(MAX_DELAY)
              .jitter(Jitter.full())
              .build(),
          RetryPolicy.exponential(Duration.ofSeconds(1))
              .unlimitedRetries()
              .maxDelay(MAX_DELAY)
              .jitter(Jitter.Decorrelated.INSTANCE)
              .build(),
          RetryPolicy.linear(Duration.ofSeconds(2)).maxRetries(4).build(),
          RetryPolicy.ladder(
                  new Backoff.Step(2, Duration.ofSeconds(1)),
                  new Backoff.Step(2, Duration.ofSeconds(20)))
              .build());

  /** Few, so that many tasks have the same one. */
  private static final List<String> DEDUPE_KEYS = List.of("k1", "k2", "k3");

  private static final int DEDUPED_ONE_IN = 5;

  private TaskGenerator() {}

  /** Generates a task whose name is the number of its submission. */
  static NewTask generate(World world, String submission) {
    String kind = world.random.pick(NodeProcess.KINDS);
    return maybeDedupe(
        world.random, world.limitGenerator.maybeLimit(generate(world, submission, kind), kind));
  }

  /** Adds a dedupe key to every fifth task. */
  static NewTask maybeDedupe(SimulationRandom random, NewTask task) {
    if (!random.oneIn(DEDUPED_ONE_IN)) {
      return task;
    }
    NewTask keyed = task.dedupeKey(random.pick(DEDUPE_KEYS));
    return random.oneIn(2) ? keyed.replaceDuplicate() : keyed;
  }

  static NewTask generate(World world, String submission, String kind) {
    SimulationRandom random = world.random;
    NewTask task = generate(random, submission, kind, 30);
    if (random.oneIn(3)) {
      task = task.runIn(random.seconds(0, 90));
    } else if (random.oneIn(10)) {
      task = task.runAt(world.now().plus(random.seconds(-60, 60)));
    }
    return withOptions(world, task);
  }

  /** Generates a task that others may wait for, so it is seldom late or unreadable. */
  static NewTask generateForGraph(World world, String submission) {
    SimulationRandom random = world.random;
    String kind = random.pick(NodeProcess.KINDS);
    NewTask task = generate(random, submission, kind, 200);
    if (random.oneIn(8)) {
      task = task.runIn(random.seconds(0, 20));
    }
    return world.limitGenerator.maybeLimit(withOptions(world, task), kind);
  }

  /** Generates a task that a schedule submits again and again, so it has no deadline. */
  static NewTask generateForSchedule(World world, String name) {
    SimulationRandom random = world.random;
    NewTask task =
        NewTask.of(random.pick(NodeProcess.KINDS), "1").name(name).retry(random.pick(POLICIES));
    return random.oneIn(2) ? task.timeout(random.seconds(2, 12)) : task;
  }

  private static NewTask generate(
      SimulationRandom random, String submission, String kind, int unreadableIn) {
    boolean unreadable = random.oneIn(unreadableIn);
    return NewTask.of(kind, unreadable ? "not a number" : submission)
        .name(submission)
        .retry(random.pick(POLICIES));
  }

  private static NewTask withOptions(World world, NewTask generated) {
    SimulationRandom random = world.random;
    NewTask task = generated;
    if (random.oneIn(2)) {
      task = task.timeout(random.seconds(2, 12));
    }
    if (random.oneIn(8)) {
      task = task.deadline(world.now().plus(random.seconds(20, 200)));
    }
    if (random.oneIn(4)) {
      task = task.priority(random.between(-100, 100));
    }
    return task;
  }
}
