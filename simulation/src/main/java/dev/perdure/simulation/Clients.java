// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.Batch;
import dev.perdure.engine.BusyException;
import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.IllegalTransitionException;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Clients that submit tasks and operators that control them. */
final class Clients {

  private static final int MAX_SUBMISSIONS = 40;
  private static final int PERCENT_GRAPHS = 50;
  private static final int FLOODS_ONE_IN = 5;
  private static final int LOWERS_ONE_IN = 10;
  private static final int MAX_TRIES = 3;

  private final World world;
  private final Cluster cluster;
  private int submissions;

  Clients(World world, Cluster cluster) {
    this.world = world;
    this.cluster = cluster;
  }

  /** Sends a request from time to time, until the faults end. */
  void scheduleNext() {
    world.scheduler.after(world.random.millis(0, 5000), this::runNext);
  }

  private void runNext() {
    if (world.faults.hasEnded()) {
      return;
    }
    NodeProcess process = cluster.anyProcess();
    if (process != null) {
      sendRandomRequest(process);
    }
    scheduleNext();
  }

  private void sendRandomRequest(NodeProcess process) {
    if (submissions < MAX_SUBMISSIONS && world.random.percent(60)) {
      submissions++;
      String submission = Integer.toString(submissions);
      Batch batch =
          world.random.percent(PERCENT_GRAPHS)
              ? GraphGenerator.generate(world, submission)
              : independentTasks(submission);
      process.run(() -> submit(process, submission, batch));
    } else if (!world.checker.tasks().isEmpty()) {
      int action = world.random.between(0, 20);
      UUID id = anyTask(task -> invites(task, action));
      process.run(() -> operate(process, id, action));
    }
  }

  private Batch independentTasks(String submission) {
    if (world.random.oneIn(FLOODS_ONE_IN)) {
      return Batch.of(world.limitGenerator.flood(world, submission));
    }
    if (world.random.oneIn(LOWERS_ONE_IN)) {
      return Batch.of(world.limitGenerator.lowering(world, submission));
    }
    List<NewTask> tasks = new ArrayList<>();
    for (int i = world.random.between(1, 3); i > 0; i--) {
      tasks.add(TaskGenerator.generate(world, submission));
    }
    return Batch.of(tasks);
  }

  /** Returns whether the action is allowed, or is likely to meet another change of the task. */
  private boolean invites(Task task, int action) {
    TaskState state = task.state();
    return switch (action) {
      case 2 -> state.isLive();
      case 3 -> task.paused();
      case 4, 5 -> state.isClaimable();
      case 6, 7, 9, 10, 11 -> state == TaskState.FAILURE || state == TaskState.CANCELED;
      case 13 -> state == TaskState.WAITING;
      case 19 -> state.isLeased() && task.definition().dedupeKey() != null;
      case 14 -> world.graphs.hasOutcomeInOtherBatch(task.id());
      default -> state.isLeased();
    };
  }

  /** Returns a random task, mostly one of those that fit. */
  private UUID anyTask(Predicate<Task> fits) {
    List<TaskChecker> fitting =
        world.checker.tasks().stream().filter(task -> fits.test(task.last())).toList();
    boolean any = fitting.isEmpty() || world.random.oneIn(4);
    return world.random.pick(any ? List.copyOf(world.checker.tasks()) : fitting).id();
  }

  private void submit(NodeProcess process, String submission, Batch batch) {
    try {
      Instant since = world.now();
      SubmissionReceipt receipt = process.engine().submit(batch);
      world.trace.line("client", "submission " + submission + " is acknowledged");
      world.checker.acknowledged(submission, receipt, since);
    } catch (StoreException failure) {
      world.trace.line("client", "submission " + submission + ": " + failure.getMessage());
      if (failure.unknown()) {
        world.checker.submitUnknown(submission);
      } else {
        world.checker.submitFailed(submission);
      }
    }
  }

  private void operate(NodeProcess process, UUID id, int action) {
    Engine engine = process.engine();
    try {
      switch (action) {
        case 0 -> engine.cancel(id);
        case 1 -> {
          // Revives at once, while the handler may not know of the cancel yet.
          engine.cancel(id);
          engine.revive(id);
        }
        case 2 -> engine.pause(id);
        case 3 -> engine.resume(id);
        case 4 -> engine.retryNow(id);
        case 5 -> engine.reschedule(id, world.now().plus(world.random.millis(0, 30_000)));
        case 6, 7 -> engine.revive(id);
        case 8 -> engine.stopBatch(world.checker.last(id).batch());
        case 12 -> atEndOf(id, process, id, 8);
        case 15 -> atEndOf(id, process, id, 0);
        case 13 -> {
          engine.cancel(id);
          world.graphs.ofChild(id).stream()
              .filter(dependency -> !dependency.isSatisfied())
              .forEach(dependency -> atEndOf(dependency.parent(), process, id, 6));
        }
        case 9 -> engine.reviveIgnoringDependencies(id);
        case 10 -> engine.resolve(id, "resolved", "it was done by hand");
        case 16, 17, 18 -> changeRules(engine, world.checker.last(id));
        case 20 -> setKind(engine, world.checker.last(id).definition().kind());
        case 19 -> submitDuplicateAtEnd(process, world.checker.last(id));
        default -> runAgain(engine, world.checker.last(id).batch());
      }
    } catch (IllegalTransitionException refused) {
      world.trace.line("operator", "" + refused.getMessage());
      world.dedupe.refused(world.checker.last(id));
    } catch (BusyException | StoreException failure) {
      world.trace.line("operator", "" + failure.getMessage());
    }
  }

  /** Does something at the moment when the end of an attempt is being written. */
  private void atEndOf(UUID attempted, NodeProcess process, UUID id, int action) {
    world.executions.afterEnd(attempted, () -> process.run(() -> operate(process, id, action)));
  }

  private void submitDuplicateAtEnd(NodeProcess process, Task task) {
    String key = task.definition().dedupeKey();
    if (key != null) {
      submissions++;
      String submission = Integer.toString(submissions);
      NewTask duplicate =
          TaskGenerator.generate(world, submission, task.definition().kind()).dedupeKey(key);
      world.executions.afterEnd(
          task.id(), () -> process.run(() -> submit(process, submission, Batch.of(duplicate))));
    }
  }

  /** Changes the rules of a kind in a batch, again if the answer is lost. */
  private void changeRules(Engine engine, Task task) {
    String kind = task.definition().kind();
    List<Limit> limits = world.limitGenerator.change(kind, task.progress().expected() != null);
    for (int i = 0; i < MAX_TRIES; i++) {
      try {
        engine.limits().change(task.batch(), kind, limits, null);
        return;
      } catch (StoreException failure) {
        world.trace.line("operator", "change of rules: " + failure.getMessage());
        if (!failure.unknown()) {
          return;
        }
      } catch (IllegalArgumentException uncounted) {
        world.trace.line("operator", "" + uncounted.getMessage());
        return;
      }
    }
  }

  /** Sets or removes the limits of a kind. */
  private void setKind(Engine engine, String kind) {
    List<Limit> limits = world.limitGenerator.ofKind();
    if (limits.isEmpty()) {
      engine.limits().remove(kind);
    } else {
      engine.limits().set(kind, limits.toArray(Limit[]::new));
    }
  }

  private void runAgain(Engine engine, UUID batch) {
    try {
      engine.runBatchAgain(batch);
    } catch (IllegalStateException | NoSuchElementException refused) {
      world.trace.line("operator", "" + refused.getMessage());
    }
  }

  /** Resumes every paused task, repeatedly, because a response can be lost. */
  void resumeAll() {
    @Nullable NodeProcess process = cluster.anyProcess();
    if (process != null) {
      world.checker.tasks().stream()
          .filter(task -> task.isUnfinished() && task.last().paused())
          .forEach(task -> process.run(() -> operate(process, task.id(), 3)));
    }
    world.scheduler.after(Duration.ofSeconds(20), this::resumeAll);
  }

  /** Cancels the tasks whose dedupe keys others wait for, and that will not end by themselves. */
  void freeKeys() {
    @Nullable NodeProcess process = cluster.anyProcess();
    if (process != null) {
      Stream.concat(
              world.batches.blockingRuns().stream(),
              world.checker.tasks().stream()
                  .map(TaskChecker::last)
                  .filter(task -> task.parked() && task.definition().dedupeKey() != null)
                  .map(Task::id))
          .distinct()
          .forEach(id -> process.run(() -> operate(process, id, 0)));
    }
    world.scheduler.after(Duration.ofSeconds(20), this::freeKeys);
  }
}
