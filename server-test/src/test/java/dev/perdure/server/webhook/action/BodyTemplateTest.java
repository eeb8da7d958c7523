// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.DisplayStatus;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class BodyTemplateTest {

  private static final UUID ID = UUID.fromString("018f0000-0000-7000-8000-000000000001");
  private static final String KNOWN =
      " (known placeholders: task.id, task.status, task.failure_reason, task.attempt,"
          + " task.next_attempt, task.next_retry_at, batch.id, batch.name, batch.context,"
          + " parents.<id>.result, parents.<id>.status; write {{{{ to send {{)";

  private static final ParentTask LARGE =
      new ParentTask(ID, "large", null, "k", DisplayStatus.SUCCESS, true, null, null, true);
  private static final ParentTask IMPORT =
      new ParentTask(
          new UUID(0, 7),
          "import.a",
          null,
          "k",
          DisplayStatus.SUCCESS,
          true,
          null,
          "{\"rows\":\"7\"}",
          false);
  private static final BatchData BATCH =
      new BatchData(
          ID,
          new BatchDefinition("\"May\"", "[5, 2026]"),
          Map.of("large", LARGE, "import.a", IMPORT, IMPORT.id().toString(), IMPORT));

  private static final WebhookTaskData FAILED = new WebhookTaskData(ID, "Failure", 3, null, null);

  private static WebhookTaskData failedFor(@Nullable String reason) {
    return new WebhookTaskData(ID, "Failure", 3, reason, null);
  }

  @Test
  void fills_in_every_variable() {
    BodyTemplate template =
        BodyTemplate.parse(
            "{{task.id}} {{ task.status }} {{task.failure_reason}} {{task.attempt}} {{task.id}}");

    assertThat(template.render(failedFor("no slots"), BATCH))
        .isEqualTo(ID + " Failure no slots 3 " + ID);
  }

  @Test
  void fills_in_the_next_attempt_if_there_is_one() {
    BodyTemplate template = BodyTemplate.parse("<{{task.next_attempt}} {{task.next_retry_at}}>");
    Instant next = Instant.parse("2026-03-01T12:00:00Z");

    assertThat(template.render(FAILED.withNextRetryAt(next), BATCH))
        .isEqualTo("<4 2026-03-01T12:00:00.000Z>");
    assertThat(template.render(FAILED, BATCH)).isEqualTo("< >");
  }

  @Test
  void a_failure_reason_cannot_end_the_json_string_around_it() {
    String nasty = "\"}, \"admin\": true, {\"\\ \n\r\t\u0000\u0001 $1 {{task.id}} é 😀 \u2028";
    String filled =
        BodyTemplate.parse("{\"reason\": \"{{task.failure_reason}}\"}")
            .render(failedFor(nasty), BATCH);

    assertThat(new JsonMapper().readTree(filled).get("reason").stringValue()).isEqualTo(nasty);
    assertThat(new JsonMapper().readTree(filled).size()).isOne();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"a\": \"{{parents.import.a.result}}\"}   | {\"a\": {\"rows\":\"7\"}}",
        "{\"a\": {{parents.import.a.result}}}       | {\"a\": {\"rows\":\"7\"}}",
        "{\"a\": \"<{{ parents.import.a.result }}\"} | {\"a\": \"<{\\\"rows\\\":\\\"7\\\"}\"}",
        "{\"a\": \"\\\"{{parents.import.a.result}}\"} | {\"a\": \"\\\"{\\\"rows\\\":\\\"7\\\"}\"}",
        "{\"a\": \"{{parents.import.a.status}}\"}   | {\"a\": \"Success\"}",
        "{\"a\": \"{{parents.00000000-0000-0000-0000-000000000007.status}}\"} | {\"a\": \"Success\"}",
        "{\"a\": \"{{parents.none.result}}\"}       | {\"a\": null}",
        "{\"a\": \"{{parents.none.status}}\"}       | {\"a\": \"\"}",
        "{\"a\": \"{{batch.context}}\", \"b\": \"{{batch.name}}\"} | {\"a\": [5, 2026], \"b\": \"\\\"May\\\"\"}",
        "{{parents.import.a.result}}               | {\"rows\":\"7\"}",
        "{{{{\"}}}}{{batch.context}}\"               | {{\"}}[5, 2026]\"",
      })
  void fills_in_the_batch_and_the_results_of_parents(String text, String body) {
    assertThat(BodyTemplate.parse(text).render(FAILED, BATCH)).isEqualTo(body);
  }

  @Test
  void refers_to_a_large_result_by_the_id_of_the_task() {
    assertThat(BodyTemplate.parse("[\"{{parents.large.result}}\"]").render(FAILED, BATCH))
        .isEqualTo("[{\"result_omitted\":true,\"id\":\"%s\"}]".formatted(ID));
  }

  @Test
  void knows_what_it_needs() {
    BodyTemplate template =
        BodyTemplate.parse("{{parents.a.result}} {{batch.id}} {{parents.b.status}}");
    assertThat(template.parents()).containsExactlyInAnyOrder("a", "b");
    assertThat(template.usesBatchDefinition()).isFalse();
    assertThat(BodyTemplate.parse("{{batch.name}}").usesBatchDefinition()).isTrue();
  }

  @Test
  void a_missing_failure_reason_is_empty() {
    assertThat(BodyTemplate.parse("<{{task.failure_reason}}>").render(failedFor(null), BATCH))
        .isEqualTo("<>");
  }

  @Test
  void braces_of_json_are_not_placeholders() {
    String json = "{\"a\":{\"b\":{}},\"c\":[{\"d\":{\"e\":1}}]}";

    assertThat(BodyTemplate.parse(json).render(failedFor(null), BATCH)).isEqualTo(json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{{task.stauts}} | unknown placeholder at character 1; did you mean 'task.status'?",
        "{\"a\":\"{{task.failureReason}}\"} | unknown placeholder at character 7; did you mean"
            + " 'task.failure_reason'?",
        "x{{s3cret}} | unknown placeholder at character 2",
        "{{}} | unknown placeholder at character 1"
      })
  void an_unknown_placeholder_is_an_error_with_the_nearest_name(String text, String message) {
    assertThatThrownBy(() -> BodyTemplate.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message + KNOWN);
  }

  @Test
  void all_unknown_placeholders_are_reported() {
    assertThatThrownBy(() -> BodyTemplate.parse("{{a}} {{task.id}} {{b}}"))
        .hasMessageContainingAll("at character 1 ", "at character 19 ");
  }

  @Test
  void an_unclosed_placeholder_is_an_error() {
    assertThatThrownBy(() -> BodyTemplate.parse("{{task.id}"))
        .hasMessage("has '{{' without '}}' at character 1: write {{task.id}}, or {{{{ to send {{");
  }

  @Test
  void four_braces_send_two() {
    assertThat(
            BodyTemplate.parse("{{{{user}} {{task.attempt}} {{{{{{task.attempt}}")
                .render(FAILED, BATCH))
        .isEqualTo("{{user}} 3 {{3");
    assertThat(BodyTemplate.parse("{{{{user}}}} {{{{}}}} {{{{ a, b }}}}}}").render(FAILED, BATCH))
        .isEqualTo("{{user}} {{}} {{ a, b }}}}");
    assertThat(BodyTemplate.problemsOf("{{{{".repeat(1_000))).isEmpty();
  }

  @Test
  void four_closing_braces_of_the_json_are_kept() {
    String json = "{\"a\":{\"b\":{\"c\":{\"d\":{{task.attempt}}}}}}";

    assertThat(BodyTemplate.parse(json).render(FAILED, BATCH))
        .isEqualTo("{\"a\":{\"b\":{\"c\":{\"d\":3}}}}");
  }

  @Test
  void has_limits() {
    assertThatThrownBy(() -> BodyTemplate.parse("x".repeat(256 * 1024 + 1)))
        .hasMessage("must have at most 262144 characters, not 262145");
    assertThatThrownBy(() -> BodyTemplate.parse("{{task.id}}".repeat(65)))
        .hasMessage("must have at most 64 placeholders");
    assertThat(BodyTemplate.problemsOf("{{x}}".repeat(10_000))).hasSizeLessThan(70);
    assertThat(BodyTemplate.parse("{{task.id}}".repeat(64)).render(failedFor(null), BATCH))
        .hasSize(64 * 36);
  }

  @Test
  void to_string_shows_only_the_size() {
    assertThat(BodyTemplate.parse("secret")).hasToString("body of 6 characters");
  }
}
