// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StateMachineTest {

  /** The state that each event leads to from each state; a dot means that the event is illegal. */
  private static final String TABLE =
      """
      event                        | waiting  | pending  | claimed       | running       | retry_pending | success | failure | canceled
      meet_dependencies            | pending  | .        | .             | .             | .             | .       | .       | .
      fail_upstream                | failure  | .        | .             | .             | .             | .       | .       | .
      claim                        | .        | claimed  | .             | .             | claimed       | .       | .       | .
      start                        | .        | .        | running       | .             | .             | .       | .       | .
      hand_off                     | .        | .        | .             | running       | .             | .       | .       | .
      succeed                      | .        | .        | success       | success       | .             | .       | .       | .
      fail_and_retry               | .        | .        | retry_pending | retry_pending | .             | .       | .       | .
      fail_and_give_up             | .        | .        | failure       | failure       | .             | .       | .       | .
      time_out_and_retry           | .        | .        | .             | retry_pending | .             | .       | .       | .
      time_out_and_give_up         | .        | .        | .             | failure       | .             | .       | .       | .
      expire                       | failure  | failure  | failure       | failure       | failure       | .       | .       | .
      hand_back                    | .        | .        | pending       | pending       | .             | .       | .       | .
      worker_lost                  | .        | .        | pending       | pending       | .             | .       | .       | .
      worker_lost_and_give_up      | .        | .        | failure       | failure       | .             | .       | .       | .
      snooze                       | .        | .        | .             | pending       | .             | .       | .       | .
      cancel                       | canceled | canceled | canceled      | canceled      | canceled      | .       | .       | .
      pause                        | waiting  | pending  | claimed       | running       | retry_pending | .       | .       | .
      resume                       | waiting  | pending  | claimed       | running       | retry_pending | .       | .       | .
      reschedule                   | waiting  | pending  | .             | .             | retry_pending | .       | .       | .
      revive                       | .        | .        | .             | .             | .             | .       | pending | pending
      revive_waiting               | .        | .        | .             | .             | .             | .       | waiting | waiting
      revive_ignoring_dependencies | .        | .        | .             | .             | .             | .       | pending | pending
      resolve                      | .        | .        | .             | .             | .             | .       | success | .
      """;

  @Test
  void every_state_and_event_leads_where_the_table_says() {
    List<List<String>> expected =
        TABLE
            .lines()
            .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
            .toList();

    assertThat(table()).containsExactlyElementsOf(expected);
  }

  private static List<List<String>> table() {
    Stream<List<String>> head =
        Stream.of(
            Stream.concat(Stream.of("event"), Stream.of(TaskState.values()).map(TaskState::text))
                .toList());
    return Stream.concat(head, Stream.of(TaskEvent.values()).map(StateMachineTest::row)).toList();
  }

  private static List<String> row(TaskEvent event) {
    Stream<String> cells = Stream.of(TaskState.values()).map(state -> cell(state, event));
    return Stream.concat(Stream.of(event.name().toLowerCase(Locale.ROOT)), cells).toList();
  }

  private static String cell(TaskState state, TaskEvent event) {
    return switch (StateMachine.next(state, event)) {
      case Transition.To to -> to.state().text();
      case Transition.Illegal illegal -> ".";
    };
  }

  @Test
  void allows_exactly_the_events_that_lead_to_a_state() {
    for (TaskState state : TaskState.values()) {
      for (TaskEvent event : TaskEvent.values()) {
        assertThat(StateMachine.allows(state, event))
            .as("%s × %s", state, event)
            .isEqualTo(!cell(state, event).equals("."));
      }
    }
  }

  @Test
  void an_ended_task_can_only_be_revived_or_resolved_and_a_successful_one_cannot() {
    for (TaskState state : TaskState.values()) {
      List<TaskEvent> allowed =
          Stream.of(TaskEvent.values()).filter(event -> StateMachine.allows(state, event)).toList();
      if (state == TaskState.SUCCESS) {
        assertThat(allowed).isEmpty();
      } else if (state.isTerminal()) {
        assertThat(allowed)
            .startsWith(
                TaskEvent.REVIVE, TaskEvent.REVIVE_WAITING, TaskEvent.REVIVE_IGNORING_DEPENDENCIES)
            .hasSize(state == TaskState.FAILURE ? 4 : 3);
      }
    }
  }

  @Test
  void every_illegal_event_has_a_reason() {
    assertThat(reasons(TaskState.WAITING))
        .containsOnly(
            "it waits for the tasks it depends on", "no worker holds it", "it has not ended");
    assertThat(reasons(TaskState.PENDING))
        .containsOnly("it does not wait for other tasks", "no worker holds it", "it has not ended");
    assertThat(reasons(TaskState.CLAIMED))
        .containsOnly(
            "it does not wait for other tasks",
            "a worker already holds it",
            "its attempt has not started",
            "it has not ended");
    assertThat(reasons(TaskState.RUNNING))
        .containsOnly(
            "it does not wait for other tasks",
            "a worker already holds it",
            "its attempt has already started",
            "it has not ended");
    assertThat(reasons(TaskState.RETRY_PENDING))
        .containsOnly("it does not wait for other tasks", "no worker holds it", "it has not ended");
    assertThat(reasons(TaskState.FAILURE)).containsOnly("it has ended");
    assertThat(reasons(TaskState.CANCELED))
        .containsOnly("it has ended", "it was canceled, which is not a failure; retry it instead");
    assertThat(reasons(TaskState.SUCCESS))
        .containsOnly(
            "it has ended", "it succeeded; there is nothing to retry", "it has already succeeded");
  }

  private static List<String> reasons(TaskState state) {
    return Stream.of(TaskEvent.values())
        .map(event -> StateMachine.next(state, event))
        .filter(Transition.Illegal.class::isInstance)
        .map(transition -> ((Transition.Illegal) transition).reason())
        .collect(Collectors.toList());
  }
}
