// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.spi.Submission;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchTest {

  private static final NewTask TASK = NewTask.of("mail", null);

  @Test
  void has_at_least_one_and_at_most_a_million_tasks() {
    assertThatThrownBy(Batch::of).hasMessage("tasks: must be 1 to 1000000, not 0");
    assertThatThrownBy(() -> Batch.of(Collections.nCopies(Submission.MAX_TASKS + 1, TASK)))
        .hasMessage("tasks: must be 1 to 1000000, not 1000001");
    assertThat(Batch.of(Collections.nCopies(Submission.MAX_TASKS, TASK)).tasks)
        .hasSize(Submission.MAX_TASKS);
  }

  @Test
  void names_and_shard_keys_are_limited() {
    String tooLong = "x".repeat(NewTask.MAX_NAME_CHARACTERS + 1);

    assertThatThrownBy(() -> Batch.of(TASK).name(tooLong))
        .hasMessageStartingWith("name: must have");
    assertThatThrownBy(() -> Batch.of(TASK).name("")).hasMessageStartingWith("name: must have");
    assertThatThrownBy(() -> Batch.of(TASK).shardKey(tooLong))
        .hasMessageStartingWith("shardKey: must have");
  }

  @Test
  void every_copy_keeps_the_options_set_before() {
    Batch first = Batch.of(List.of(TASK));
    Batch batch = first.name("May").context(List.of(1)).shardKey("north").name("June");

    assertThat(batch.name).isEqualTo("June");
    assertThat(batch.context).isEqualTo(List.of(1));
    assertThat(batch.shardKey).isEqualTo("north");
    assertThat(first.name).isNull();
  }
}
