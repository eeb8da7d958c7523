// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.Submission.SubmissionKeyDigest;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.SubmissionReceipt.SubmissionStatus;
import dev.perdure.engine.task.TaskDefinition;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SubmissionTest {

  private static final TaskDefinition JOB =
      new TaskDefinition(
          "job", null, "{}", null, null, null, null, null, null, 0, null, null, null, null, null);
  private static final UUID BATCH = id(1);
  private static final UUID EARLIER = id(9);
  private static final Submission.BatchReader<RuntimeException> NEVER_CALLED =
      batch -> {
        throw new AssertionError("reads " + batch);
      };

  private static UUID id(long number) {
    return new UUID(number, 0);
  }

  private static Submission submission(UUID... ids) {
    return new Submission(
        BATCH,
        List.of(ids).stream().map(id -> new NewTaskRow(id, JOB, DueTime.now())).toList(),
        new SubmissionKeyDigest("0".repeat(64), "content"));
  }

  @Nested
  class WithAKeyInUse {

    @Test
    void is_stored_when_its_own_batch_used_the_key() {
      assertThat(submission(id(2)).keyInUse(BATCH, "content", null, NEVER_CALLED))
          .isEqualTo(new SubmissionReceipt(BATCH, List.of(id(2)), SubmissionStatus.STORED));
    }

    @Test
    void is_a_duplicate_of_a_batch_with_the_same_content() {
      assertThat(submission(id(2)).keyInUse(EARLIER, "content", null, batch -> List.of(id(10))))
          .isEqualTo(new SubmissionReceipt(EARLIER, List.of(id(10)), SubmissionStatus.DUPLICATE));
    }

    @Test
    void conflicts_with_other_content_whose_tasks_are_not_read() {
      assertThat(submission(id(2)).keyInUse(EARLIER, "other", null, NEVER_CALLED))
          .isEqualTo(new SubmissionReceipt(EARLIER, List.of(), SubmissionStatus.CONFLICT));
    }
  }

  @Test
  void requires_ids_in_the_order_of_databases() {
    UUID highest = new UUID(-1, 0);

    submission(id(2), id(3), highest).requireValid(1);

    assertThatThrownBy(() -> submission(id(3), id(2)).requireValid(1))
        .hasMessage("tasks: ids must ascend, not %s before %s".formatted(id(3), id(2)));
    assertThatThrownBy(() -> submission(highest, id(2)).requireValid(1))
        .hasMessageStartingWith("tasks: ids must ascend");
    assertThatThrownBy(() -> submission(id(2), id(2)).requireValid(1))
        .hasMessageStartingWith("tasks: ids must ascend");
  }
}
