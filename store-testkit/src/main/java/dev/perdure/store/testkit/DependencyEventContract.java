// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.internal.StateMachine;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every legal event for a task with parents, with children and with both. Afterwards all
 * dependencies agree with the states of the tasks.
 */
abstract class DependencyEventContract extends GraphContract {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** What surrounds the task with the index {@code task} of the graph. */
  enum Surroundings {
    PARENTS("0>2 1~2", 2),
    CHILDREN("0>1 0~2", 0),
    BOTH("0>1 1>2 1~3", 1);

    private final String graph;
    private final int task;

    Surroundings(String graph, int task) {
      this.graph = graph;
      this.task = task;
    }

    boolean hasChildren() {
      return this != PARENTS;
    }
  }

  DependencyEventContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** A task that can be handed off. */
  @Override
  TestTask unique() {
    TestTask task = super.unique();
    return task.withTimeout(TIMEOUT).withQueue("perdure:" + task.kind());
  }

  @ParameterizedTest
  @EnumSource
  void every_event_leaves_dependencies_that_agree_with_the_tasks(Surroundings surroundings) {
    for (TaskState from : TaskState.values()) {
      for (TaskEvent event : TaskEvent.values()) {
        if (StateMachine.allows(from, event) && isWritten(event) && reaches(surroundings, from)) {
          check(surroundings, from, event);
        }
      }
    }
  }

  /** Other events are claims, or writes of the store itself. */
  private static boolean isWritten(TaskEvent event) {
    return event != TaskEvent.CLAIM && event != TaskEvent.MEET_DEPENDENCIES;
  }

  private static boolean reaches(Surroundings surroundings, TaskState state) {
    return state != TaskState.WAITING || surroundings != Surroundings.CHILDREN;
  }

  private void check(Surroundings surroundings, TaskState from, TaskEvent event) {
    List<UUID> graph = graph(surroundings.graph);
    Task before = bring(graph, surroundings.task, from);
    boolean waits = before.dependencies().unmet() > 0;
    if (event == (waits ? TaskEvent.REVIVE : TaskEvent.REVIVE_WAITING)) {
      return; // The lifecycle decides for the other one.
    }
    clock.advance(TIMEOUT);
    WriteResult result = apply(SampleChanges.change(before, from, event));

    String pair = "%s, %s × %s".formatted(surroundings, from, event);
    Task after = find(before.id());
    boolean endsOrRevives = from.isTerminal() || after.state().isTerminal();
    assertThat(result.applied()).as(pair).isTrue();
    assertThat(result.observed()).as(pair).isEqualTo(endsOrRevives && surroundings.hasChildren());
    assertThat(propagateOnce().events() > 0).as(pair).isEqualTo(result.observed());
    propagate();
    graph.forEach(this::assertPropagated);
  }

  /** Brings the task to the state; its parents have succeeded, unless it ended before them. */
  private Task bring(List<UUID> graph, int index, TaskState state) {
    UUID id = graph.get(index);
    if (state != TaskState.WAITING && state != TaskState.CANCELED) {
      graph.subList(0, index).forEach(this::succeed);
      propagate();
    }
    Task reached =
        switch (state) {
          case WAITING, PENDING -> find(id);
          case CLAIMED -> claimed(queue(id));
          case RUNNING -> run(id);
          case RETRY_PENDING -> settle(run(id), FAILED);
          case SUCCESS -> settle(run(id), SUCCEEDED);
          case FAILURE -> settle(run(id), FAILED_FOR_GOOD);
          case CANCELED -> write(lifecycle.cancel(find(id)));
        };
    propagate();
    assertThat(reached.state()).isEqualTo(state);
    return reached;
  }
}
