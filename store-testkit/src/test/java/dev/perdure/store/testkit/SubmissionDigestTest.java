// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.SubmissionKey;
import dev.perdure.engine.SubmissionKeyConflictException;
import dev.perdure.engine.task.Limit;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** The content digest of a submission covers every field of a task. */
class SubmissionDigestTest {

  private static final SubmissionKey KEY = SubmissionKey.of("order 42");
  private static final NewTask MAIL = NewTask.of("mail", Map.of("to", "ada"));

  /** Fields that may differ in a repetition: it can come from another trace. */
  private static final Set<String> NOT_CONTENT = Set.of("trace");

  /** For each field, a task that differs from {@link #MAIL} in that field only. */
  private static final Map<String, NewTask> DIFFERENT =
      Map.ofEntries(
          Map.entry("kind", NewTask.of("letter", Map.of("to", "ada"))),
          Map.entry("payload", NewTask.of("mail", Map.of("to", "bob"))),
          Map.entry("name", MAIL.name("x")),
          Map.entry("metadata", MAIL.metadata(Map.of("x", 1))),
          Map.entry("policy", MAIL.retry(RetryPolicy.queue(1))),
          Map.entry(
              "policyAsGiven",
              MAIL.retry(RetryPolicy.none(), JsonNodeFactory.instance.stringNode("none"))),
          Map.entry("due", MAIL.runIn(Duration.ofSeconds(1))),
          Map.entry("timeout", MAIL.timeout(Duration.ofSeconds(1))),
          Map.entry("deadline", MAIL.deadline(Instant.EPOCH)),
          Map.entry("priority", MAIL.priority(1)),
          Map.entry("idempotencyKey", MAIL.idempotencyKeyForHandler("x")),
          Map.entry("localId", MAIL.id("x")),
          Map.entry("dependencies", MAIL.after(new UUID(0, 1))),
          Map.entry("queue", MAIL.queue("perdure:x")),
          Map.entry("actions", MAIL.actions("{}")),
          Map.entry("deadEndBarrier", MAIL.deadEndBarrier()),
          Map.entry("expectedCount", MAIL.expectedCount(1)),
          Map.entry("limits", MAIL.limit(Limit.concurrency(1))),
          Map.entry(
              "rulesAsGiven",
              MAIL.limits(
                  List.of(Limit.concurrency(2)), JsonNodeFactory.instance.stringNode("given"))),
          Map.entry("dedupeKey", MAIL.dedupeKey("x")),
          Map.entry("replacesDuplicate", MAIL.dedupeKey("x").replaceDuplicate()));

  static Set<String> fields() {
    return DIFFERENT.keySet();
  }

  @Test
  void every_field_of_a_new_task_is_tested() {
    Set<String> fields =
        Arrays.stream(NewTask.class.getDeclaredFields())
            .filter(field -> !Modifier.isStatic(field.getModifiers()))
            .map(Field::getName)
            .filter(name -> !NOT_CONTENT.contains(name))
            .collect(toSet());

    assertThat(DIFFERENT.keySet()).isEqualTo(fields);
  }

  @ParameterizedTest
  @MethodSource("fields")
  void another_value_with_the_same_key_is_a_conflict(String field) {
    NewTask different = DIFFERENT.get(field);
    try (Engine engine = Engine.on(new InMemoryStore(new FakeClock(), 8))) {
      engine.submitAll(List.of(MAIL), KEY);

      assertThatThrownBy(() -> engine.submitAll(List.of(different), KEY))
          .isInstanceOf(SubmissionKeyConflictException.class);
    }
  }
}
