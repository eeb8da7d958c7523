// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.Batch;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Generates random batches of tasks that depend on each other and on stored tasks. */
final class GraphGenerator {

  /** The ways in which tasks depend on each other. */
  private enum Shape {
    CHAIN,
    FAN_OUT,
    FAN_IN,
    DIAMOND,
    RANDOM
  }

  private static final int PERCENT_REQUIRED = 75;
  private static final int PERCENT_WITH_STORED_PARENTS = 40;
  private static final int PERCENT_WITH_POLICY = 35;

  private static final List<RetryPolicy> POLICIES =
      List.of(
          RetryPolicy.immediate().maxRetries(1).build(),
          RetryPolicy.fixed(Duration.ofSeconds(3)).maxRetries(2).jitter(Jitter.none()).build(),
          RetryPolicy.fixed(Duration.ofSeconds(20)).maxRetries(1).build(),
          RetryPolicy.exponential(Duration.ofSeconds(1))
              .maxRetries(2)
              .jitter(Jitter.full())
              .build());

  private final World world;
  private final SimulationRandom random;
  private final String submission;
  private final List<NewTask> tasks = new ArrayList<>();

  private GraphGenerator(World world, String submission) {
    this.world = world;
    this.random = world.random;
    this.submission = submission;
  }

  /** Generates a batch whose name, and that of its tasks, is the number of its submission. */
  static Batch generate(World world, String submission) {
    return new GraphGenerator(world, submission).batch();
  }

  private Batch batch() {
    int size = random.between(2, 6);
    for (int i = 0; i < size; i++) {
      NewTask task =
          TaskGenerator.maybeDedupe(random, TaskGenerator.generateForGraph(world, submission))
              .id("t" + i);
      tasks.add(random.oneIn(5) ? task.deadEndBarrier() : task);
    }
    connect(random.pick(List.of(Shape.values())), size);
    if (random.percent(PERCENT_WITH_STORED_PARENTS)) {
      addStoredParents();
    }
    if (random.oneIn(2)) {
      Collections.reverse(tasks);
    }
    return withOptions(Batch.of(tasks).name(submission));
  }

  private void connect(Shape shape, int size) {
    for (int child = 1; child < size; child++) {
      for (int parent = 0; parent < child; parent++) {
        boolean connected =
            switch (shape) {
              case CHAIN -> parent == child - 1;
              case FAN_OUT -> parent == 0;
              case FAN_IN -> child == size - 1;
              case DIAMOND -> parent == 0 || child == size - 1;
              case RANDOM -> random.oneIn(3);
            };
        if (connected) {
          addDependency(child, "t" + parent);
        }
      }
    }
  }

  private void addDependency(int child, String parent) {
    NewTask task = tasks.get(child);
    tasks.set(
        child,
        random.percent(PERCENT_REQUIRED) ? task.after(parent) : task.afterEvenIfFailed(parent));
  }

  /** All tasks of a batch, and those that they depend on, are in one shard. */
  private void addStoredParents() {
    List<Task> candidates = world.checker.tasks().stream().map(TaskChecker::last).toList();
    if (candidates.isEmpty()) {
      return;
    }
    int shard = Shards.of(random.pick(candidates).id());
    List<Task> near = candidates.stream().filter(task -> Shards.of(task.id()) == shard).toList();
    List<Task> live = near.stream().filter(task -> task.state().isLive()).toList();
    Set<UUID> used = new HashSet<>();
    for (int i = random.between(1, 3); i > 0; i--) {
      Task parent = random.pick(live.isEmpty() || random.oneIn(4) ? near : live);
      if (used.add(parent.id())) {
        addDependency(random.between(0, tasks.size() - 1), parent.id().toString());
        if (parent.state().isLive()) {
          world.graphs.expectLive(submission, parent.id());
        }
      }
    }
  }

  private Batch withOptions(Batch batch) {
    Batch result = batch;
    if (random.percent(PERCENT_WITH_POLICY)) {
      result = result.retry(random.pick(POLICIES));
    }
    if (random.oneIn(5)) {
      result = result.deadEndCancel();
    }
    if (random.oneIn(4)) {
      NewTask followUp = TaskGenerator.generateForGraph(world, submission);
      result =
          switch (random.between(0, 2)) {
            case 0 -> result.onSuccess(followUp);
            case 1 -> result.onFailure(followUp);
            default -> result.onFinished(followUp);
          };
    }
    return result;
  }
}
