// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class NewTaskTest {

  @Test
  void metadata_is_copied_with_its_order_and_its_nulls() {
    Map<String, Object> metadata = new LinkedHashMap<>();
    for (int i = 30; i > 0; i--) {
      metadata.put("key " + i, i % 2 == 0 ? null : i);
    }
    NewTask task = NewTask.of("mail", "payload").metadata(metadata);
    String expected = metadata.toString();
    metadata.clear();

    assertThat(task.metadata).hasToString(expected);
  }

  @Test
  void only_a_queue_begins_with_the_reserved_prefix() {
    assertThatThrownBy(() -> NewTask.of("perdure:webhook", null))
        .hasMessage("kind: must not begin with 'perdure:', which is reserved for queues");
    assertThatThrownBy(() -> NewTask.of("mail", null).queue("webhook"))
        .hasMessage("queue: must begin with 'perdure:', not 'webhook'");
    assertThat(NewTask.of("mail", null).queue("perdure:webhook").queue)
        .isEqualTo("perdure:webhook");
  }

  @Test
  void every_copy_keeps_the_options_set_before() {
    NewTask task =
        NewTask.of("mail", "payload")
            .id("first")
            .after("second")
            .queue("perdure:webhook")
            .actions("{}")
            .expectedCount(7)
            .priority(1);

    assertThat(task.localId).isEqualTo("first");
    assertThat(task.dependencies).hasSize(1);
    assertThat(task.queue).isEqualTo("perdure:webhook");
    assertThat(task.actions).isEqualTo("{}");
    assertThat(task.expectedCount).isEqualTo(7);
  }

  @Test
  void dependencies_add_up_and_leave_the_original_alone() {
    UUID stored = new UUID(1, 2);
    NewTask task = NewTask.of("mail", null).after("a", "b");

    assertThat(task.afterEvenIfFailed("c").after(stored).dependencies)
        .containsExactly(
            new NewTask.DependencyOn("a", true),
            new NewTask.DependencyOn("b", true),
            new NewTask.DependencyOn("c", false),
            new NewTask.DependencyOn(stored.toString(), true));
    assertThat(task.dependencies).hasSize(2);
    assertThat(task.afterEvenIfFailed(stored).dependencies)
        .contains(new NewTask.DependencyOn(stored.toString(), false));
    assertThatThrownBy(() -> task.after(" "))
        .hasMessage("after: must have 1 to %d characters, not 1", NewTask.MAX_NAME_CHARACTERS);
  }

  @Test
  void a_negative_expected_count_is_refused() {
    assertThatThrownBy(() -> NewTask.of("mail", null).expectedCount(-1))
        .hasMessage("expectedCount: must be 0 or more, not -1");
  }
}
