// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Batch;
import dev.perdure.engine.BatchContext;
import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.testing.TestEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The Java examples of the guide to graphs, compiled and run. */
class GraphsGuideTest {

  record Rows(int count) {}

  private final TestEngine test = TestEngine.create();
  private final Engine engine = test.engine();
  private final List<String> mails = new ArrayList<>();

  private void mail(String text) {
    mails.add(text);
  }

  @Test
  void a_report_gets_the_result_of_the_import() {
    engine.register("import", String.class, (file, context) -> context.result(new Rows(7)));
    engine.register(
        "report",
        String.class,
        (month, context) -> {
          Rows rows = context.parent("import").result(Rows.class);
          BatchContext batch = context.batch();
          mail("%d rows in %s".formatted(rows.count(), batch.name()));
        });
    engine.register("tidy", String.class, (file, context) -> {});

    SubmissionReceipt receipt =
        engine.submit(
            Batch.of(
                    NewTask.of("import", "may.csv").id("import").retry(RetryPolicy.queue()),
                    NewTask.of("report", "May").id("report").after("import"),
                    NewTask.of("tidy", "may.csv").afterEvenIfFailed("report"))
                .name("Report of May")
                .context(Map.of("month", 5)));
    test.runDue();

    assertThat(mails).containsExactly("7 rows in Report of May");
    assertThat(receipt.ids())
        .allSatisfy(
            id -> assertThat(engine.find(id).orElseThrow().state()).isEqualTo(TaskState.SUCCESS));
    assertThat(engine.submit(NewTask.of("tidy", "later").after(receipt.ids().getFirst())))
        .isNotNull();
  }

  @Test
  void a_batch_runs_again_after_a_week_and_tells_operations() {
    engine.register(
        "import",
        String.class,
        (file, context) -> {
          throw context.permanent("no file");
        });
    engine.register("tell", String.class, (whom, context) -> mail("told " + whom));

    engine.submit(
        Batch.of(
                NewTask.of("import", "may.csv").id("import"),
                NewTask.of("report", "May").after("import"))
            .retry(RetryPolicy.fixed(Duration.ofDays(7)).maxRetries(2).build())
            .onFinished(NewTask.of("tell", "operations")));
    test.runDue();
    assertThat(mails).isEmpty();
    for (int day = 0; day < 30; day++) {
      test.advance(Duration.ofDays(1));
    }

    assertThat(mails).containsExactly("told operations");
  }
}
