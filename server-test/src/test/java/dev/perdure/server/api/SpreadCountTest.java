// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.testing.TestEngine;
import org.junit.jupiter.api.Test;

/** How many tasks a spread has when newer tasks are in front of them. */
class SpreadCountTest {

  private static final TaskFilter MAIL = TaskFilter.all().withKind("mail");

  private static final TaskFilter FAILED_MAIL =
      TaskFilter.in(DisplayStatus.FAILURE).withKind("mail");

  private final TestEngine test = TestEngine.create();

  private long count(TaskFilter filter, int most) {
    return new SpreadCount(test.engine().tasks(), most).count(filter);
  }

  private void submit(String kind, int count) {
    for (int i = 0; i < count; i++) {
      test.engine().submit(NewTask.of(kind, "").retry(RetryPolicy.none()));
    }
  }

  /** Failed tasks that have newer ones in front of them. */
  private void failThenSubmitOthers(int failed) {
    test.engine()
        .register(
            "mail",
            String.class,
            (payload, context) -> {
              throw new IllegalStateException("no luck");
            });
    submit("mail", failed);
    test.runDue();
    submit("other", 30);
  }

  private void assertRefused(TaskFilter filter, int most) {
    assertThatThrownBy(() -> count(filter, most))
        .isInstanceOfSatisfying(
            HttpProblemException.class,
            refused -> {
              assertThat(refused.status()).isEqualTo(400);
              assertThat(refused.errors())
                  .singleElement()
                  .satisfies(error -> assertThat(error.path()).isEqualTo("filter"));
            });
  }

  @Test
  void a_filter_whose_tasks_cannot_be_counted_is_refused() {
    failThenSubmitOthers(5);

    assertRefused(MAIL, 10);
    assertThat(count(FAILED_MAIL, 10)).isEqualTo(5);
    assertThat(count(MAIL, 100)).isEqualTo(5);
  }

  @Test
  void so_many_failed_tasks_that_counting_stops_are_enough_for_the_pace() {
    failThenSubmitOthers(20);

    assertThat(count(MAIL, 10)).isEqualTo(10);
    assertThat(count(FAILED_MAIL, 10)).isEqualTo(10);
    assertRefused(FAILED_MAIL.withKind("nothing"), 10);
  }
}
