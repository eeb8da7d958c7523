// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.TaskUpdate;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Searching tasks by text and metadata. */
abstract class SearchContract extends StoreContract {

  private static final TaskFilter ALL = TaskFilter.all();

  SearchContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private UUID submitted(
      String kind, @Nullable String name, @Nullable String localId, @Nullable String metadata) {
    int shard = nextShard();
    UUID id = ids.next(shard);
    TaskDefinition task =
        new TaskDefinition(
            kind, name, "{}", metadata, null, null, null, null, null, 0, null, localId, null, null,
            null);
    store.submit(new Submission(ids.next(shard), List.of(new NewTaskRow(id, task, DueTime.now()))));
    return id;
  }

  private UUID with(@Nullable String metadata) {
    return submitted("a", null, null, metadata);
  }

  private void assertFinds(TaskFilter filter, UUID... expected) {
    assertThat(store.reader().list(filter, PageRequest.first(100)).tasks())
        .extracting(TaskRow::id)
        .containsExactlyInAnyOrder(expected);
    assertThat(store.reader().count(filter, 100)).isEqualTo(expected.length);
  }

  private static TaskFilter where(String field, @Nullable Object value) {
    return ALL.withMetadata(Collections.singletonMap(field, value));
  }

  @Test
  void by_part_of_the_kind_name_or_local_id() {
    UUID kind = submitted("send-Mail", null, null, null);
    UUID name = submitted("a", "a mail to Ada", null, null);
    UUID local = submitted("a", "b", "MAIL-7", null);
    submitted("a", "ma", "il", null);

    assertFinds(ALL.withText("mAIl"), kind, name, local);
    assertFinds(ALL.withText("mail to"), name);
    assertFinds(ALL.withText("mail").withKind("a"), name, local);
    assertFinds(ALL.withText("%"));
    assertFinds(ALL.withText("_ail"));
    assertFinds(ALL.withText("'; DROP TABLE perdure_task; --"));
  }

  @Test
  void by_part_of_the_failure_message() {
    UUID retrying = submit(TestTask.retrying("a"));
    fail("a", "Connection refused by db-7");
    UUID failed = submit(TestTask.withoutRetry("b"));
    fail("b", "connection reset");
    submit(TestTask.withoutRetry("c"));
    settle(running("c"), SUCCEEDED);

    assertFinds(ALL.withText("CONNECTION"), retrying, failed);
    assertFinds(ALL.withText("refused"), retrying);
    assertFinds(TaskFilter.in(TaskState.RETRY_PENDING).withText("connection"), retrying);
    assertFinds(ALL.withBatch(find(failed).batch()).withText("connection"), failed);
    assertFinds(ALL.withBatch(find(failed).batch()).withText("refused"));
  }

  private void fail(String kind, String message) {
    settle(running(kind), new Outcome.Failed(Failure.explicit("x").withMessage(message), null));
  }

  @Test
  void by_metadata_field() {
    UUID seven = with("{\"customer\": 7, \"region\": \"eu\"}");
    UUID eight = with("{\"region\": \"eu\", \"customer\": 8}");
    with("{\"other\": {\"customer\": 7}}");
    with("{}");
    with(null);

    assertFinds(where("customer", 7), seven);
    assertFinds(where("region", "eu"), seven, eight);
    assertFinds(ALL.withMetadata(Map.of("region", "eu", "customer", 8)), eight);
    assertFinds(ALL.withMetadata(Map.of("region", "us", "customer", 8)));
    assertFinds(where("region", "eu").withBatch(find(eight).batch()), eight);
  }

  @Test
  void metadata_values_are_compared_by_type_and_value() {
    UUID number = with("{\"n\": 12.50}");
    UUID text = with("{\"n\": \"12.5\"}");
    UUID large = with("{\"n\": 12345678901234567890123456789012345678901234567890}");
    UUID bool = with("{\"n\": true}");
    UUID one = with("{\"n\": 1}");
    UUID nullValue = with("{\"n\": null}");
    UUID object = with("{\"n\": {\"a\": 1, \"b\": [1, 2]}}");
    with("{\"m\": 12.5}");

    assertFinds(where("n", new BigDecimal("12.5")), number);
    assertFinds(where("n", 12.5), number);
    assertFinds(where("n", "12.5"), text);
    assertFinds(
        where("n", new BigDecimal("12345678901234567890123456789012345678901234567890")), large);
    assertFinds(where("n", new BigDecimal("12345678901234567890123456789012345678901234567891")));
    assertFinds(where("n", true), bool);
    assertFinds(where("n", 1), one);
    assertFinds(where("n", null), nullValue);
    assertFinds(where("n", Map.of("b", List.of(1, 2), "a", 1)), object);
    assertFinds(where("n", Map.of("b", List.of(2, 1), "a", 1)));
  }

  @Test
  void metadata_names_and_values_are_never_interpreted() {
    UUID task = with("{\"a'b\": \"x\", \"$.c\\\"]\": \"%\", \"\\u0000\": 1, \"n\": 1e400000}");
    with("{\"a\": \"x\", \"c\": \"y\"}");

    assertFinds(where("a'b", "x"), task);
    assertFinds(where("$.c\"]", "%"), task);
    assertFinds(where("\0", 1), task);
    assertFinds(where("n", new BigDecimal("1e400000")), task);
    assertFinds(where("' OR '1' = '1", "x"));
    assertFinds(where("a') OR 1 = 1 --", "x"));
    assertFinds(where("%", "x"));
    assertFinds(where("_", "x"));
  }

  @Test
  void updated_metadata_is_found() {
    UUID task = with("{\"customer\": 7}");
    store.update(new TaskUpdate(task, null, null, null, "{\"customer\": 8}"));

    assertFinds(where("customer", 7));
    assertFinds(where("customer", 8), task);
    store.update(new TaskUpdate(task, null, 3, null, null));
    assertFinds(where("customer", 8), task);
  }

  /** PostgreSQL cannot store this character in a text. */
  @Test
  void a_filter_can_contain_any_character() {
    submit(TestTask.withoutRetry("a"));

    assertFinds(ALL.withText("\0"));
    assertFinds(ALL.withKind("\0"));
    assertFinds(ALL.withNameContains("\0"));
    assertFinds(ALL.withFailureKind("\0"));
  }
}
