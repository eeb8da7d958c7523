// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The diagram and the table in docs/state-machine.md match the state machine. */
class StateMachineDocumentTest {

  private static final Path DOCUMENT = Path.of("../docs/state-machine.md");

  @Test
  void the_document_contains_the_diagram_of_the_code() throws IOException {
    assertThat(Files.readString(DOCUMENT)).contains(diagram());
  }

  @Test
  void the_document_contains_the_table_of_the_code() throws IOException {
    assertThat(Files.readString(DOCUMENT)).contains(table());
  }

  private static String diagram() {
    StringBuilder text = new StringBuilder("```mermaid\nstateDiagram-v2\n");
    for (TaskState from : TaskState.values()) {
      for (TaskState to : TaskState.values()) {
        String events =
            Stream.of(TaskEvent.values())
                .filter(event -> from != to && leadsTo(from, event, to))
                .map(StateMachineDocumentTest::words)
                .collect(Collectors.joining(", "));
        if (!events.isEmpty()) {
          text.append("  %s --> %s: %s%n".formatted(from.text(), to.text(), events));
        }
      }
    }
    return text.append("```\n").toString();
  }

  private static String table() {
    StringBuilder text = new StringBuilder("| event |");
    for (TaskState state : TaskState.values()) {
      text.append(' ').append(state.text()).append(" |");
    }
    text.append("\n|---|").append("---|".repeat(TaskState.values().length)).append('\n');
    for (TaskEvent event : TaskEvent.values()) {
      text.append("| ").append(words(event)).append(" |");
      for (TaskState state : TaskState.values()) {
        text.append(' ').append(cell(state, event)).append(" |");
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static boolean leadsTo(TaskState from, TaskEvent event, TaskState to) {
    return StateMachine.next(from, event) instanceof Transition.To step && step.state() == to;
  }

  private static String cell(TaskState state, TaskEvent event) {
    return StateMachine.next(state, event) instanceof Transition.To step
        ? step.state().text()
        : "·";
  }

  private static String words(TaskEvent event) {
    return event.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
