// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.TraceContext;
import dev.perdure.server.webhook.guard.WebhookUrl;
import dev.perdure.server.webhook.send.HttpMethod;
import dev.perdure.server.webhook.send.WebhookRequest;
import dev.perdure.server.webhook.sign.WebhookSigner;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RequestComposerTest {

  private static final UUID ID = UUID.fromString("018f0000-0000-7000-8000-000000000001");
  private static final Instant NOW = Instant.ofEpochSecond(1614265330);
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final TraceContext SPAN = TraceContext.parse(TRACE).orElseThrow();

  private final RequestComposer composer = new RequestComposer(null);

  private static WebhookAction action(
      HttpMethod httpMethod,
      @Nullable String body,
      Map<String, String> headers,
      IdempotencyScope scope) {
    return new WebhookAction(
        WebhookUrl.parse("https://a.test/hook?x=1"),
        httpMethod,
        body == null ? null : BodyTemplate.parse(body),
        headers,
        Duration.ofSeconds(9),
        CompletionMode.CALLBACK,
        scope);
  }

  private static WebhookAction post(@Nullable String body) {
    return action(HttpMethod.POST, body, Map.of(), IdempotencyScope.ATTEMPT);
  }

  private static CallContext on(ActionTrigger trigger) {
    return new CallContext(
        new WebhookTaskData(ID, "Running", 2, null, null),
        BatchData.of(ID),
        trigger,
        1,
        NOW,
        null,
        SPAN,
        "{\"sum\":1}");
  }

  @ParameterizedTest
  @CsvSource({
    "START,   start,  start:success:1:2",
    "SUCCESS, end,    end:success:1:2",
    "FAILURE, end,    end:failure:1:2",
    "RETRY,   retry,  retry:success:1:2",
    "CANCEL,  cancel, cancel:success:1:2"
  })
  void headers_identify_the_task_and_the_event(ActionTrigger trigger, String word, String key) {
    assertThat(composer.compose(post(null), on(trigger)).headers())
        .containsEntry("Idempotency-Key", ID + ":" + key)
        .containsEntry("X-Task-Id", ID.toString())
        .containsEntry("X-Task-Trigger", word)
        .containsEntry("X-Task-Attempt", "2")
        .doesNotContainKeys("tracestate", "webhook-id", "webhook-signature");
  }

  @Test
  void with_task_scope_all_attempts_share_one_key() {
    WebhookAction action = action(HttpMethod.POST, null, Map.of(), IdempotencyScope.TASK);

    assertThat(composer.compose(action, on(ActionTrigger.START)).headers())
        .containsEntry("Idempotency-Key", ID + ":start");
    assertThat(composer.compose(action, on(ActionTrigger.FAILURE)).headers())
        .containsEntry("Idempotency-Key", ID + ":end:failure:1:2");
  }

  @Test
  void sends_trace_context_and_handle() {
    CallContext context =
        new CallContext(
            new WebhookTaskData(ID, "Running", 2, null, null),
            BatchData.of(ID),
            ActionTrigger.START,
            0,
            NOW,
            "https://p.test/task/1?token=t",
            TraceContext.parse(TRACE, "rojo=1").orElseThrow(),
            null);
    WebhookRequest call = composer.compose(post(null), context);

    assertThat(call.headers())
        .containsEntry("traceparent", TRACE)
        .containsEntry("tracestate", "rojo=1");
    assertThat(call.url().target())
        .isEqualTo("/hook?x=1&handle=https%3A%2F%2Fp.test%2Ftask%2F1%3Ftoken%3Dt");
    assertThat(call.timeout()).isEqualTo(Duration.ofSeconds(9));
  }

  @Test
  void renders_the_body_and_declares_it_as_json() {
    WebhookRequest call =
        composer.compose(
            post("{\"a\":{{task.attempt}},\"s\":\"{{task.status}}\"}"), on(ActionTrigger.START));

    assertThat(call.body()).isEqualTo("{\"a\":2,\"s\":\"Running\"}");
    assertThat(call.headers()).containsEntry("Content-Type", "application/json");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hello                     | text/plain; charset=utf-8",
        "[perdure] {{task.id}}     | text/plain; charset=utf-8",
        "{{task.failure_reason}}   | text/plain; charset=utf-8",
        "{{task.attempt}}          | text/plain; charset=utf-8",
        "{} …                      | text/plain; charset=utf-8",
        "{}{}                      | text/plain; charset=utf-8",
        "{\"a\":                   | text/plain; charset=utf-8",
        "{\"a\":{{task.attempt}}}  | application/json",
        "[\"{{task.id}}\"]         | application/json"
      })
  void a_text_that_is_not_json_is_sent_as_plain_text(String body, String type) {
    assertThat(composer.compose(post(body), on(ActionTrigger.START)).headers())
        .containsEntry("Content-Type", type);
  }

  @Test
  void submitted_headers_override_the_defaults() {
    WebhookAction action =
        action(
            HttpMethod.POST,
            "hello",
            Map.of("content-TYPE", "text/plain", "User-agent", "x", "X-Mine", "1"),
            IdempotencyScope.ATTEMPT);

    assertThat(composer.compose(action, on(ActionTrigger.START)).headers())
        .containsEntry("content-TYPE", "text/plain")
        .containsEntry("User-agent", "x")
        .containsEntry("X-Mine", "1")
        .doesNotContainKeys("Content-Type", "User-Agent");
  }

  @ParameterizedTest
  @EnumSource(ActionTrigger.class)
  void without_a_body_all_but_start_send_a_summary(ActionTrigger trigger) {
    WebhookRequest call = composer.compose(post(null), on(trigger));

    assertThat(call.body()).isEqualTo(trigger == ActionTrigger.START ? null : "{\"sum\":1}");
    assertThat(call.headers().get("Content-Type"))
        .isEqualTo(trigger == ActionTrigger.START ? null : "application/json");
  }

  @ParameterizedTest
  @EnumSource(names = {"GET", "DELETE"})
  void get_and_delete_send_no_summary(HttpMethod httpMethod) {
    WebhookAction action = action(httpMethod, null, Map.of(), IdempotencyScope.ATTEMPT);

    assertThat(composer.compose(action, on(ActionTrigger.CANCEL)).body()).isNull();
  }

  @Test
  void signs_the_rendered_body_with_the_idempotency_key_as_message_id() {
    WebhookSigner signer = WebhookSigner.of(SECRET);
    WebhookRequest call =
        new RequestComposer(signer).compose(post("{{task.attempt}}"), on(ActionTrigger.START));
    String key = ID + ":start:success:1:2";

    assertThat(call.headers()).containsAllEntriesOf(signer.headers(key, NOW, "2"));
    assertThat(new RequestComposer(signer).compose(post(null), on(ActionTrigger.START)).headers())
        .containsAllEntriesOf(signer.headers(key, NOW, ""));
  }

  @Test
  void to_string_shows_neither_headers_nor_body() {
    WebhookAction action =
        action(
            HttpMethod.POST, "secret", Map.of("Authorization", "secret"), IdempotencyScope.ATTEMPT);

    assertThat(action).hasToString("Post https://a.test/hook?…");
    assertThat(composer.compose(action, on(ActionTrigger.START)))
        .hasToString("Post https://a.test/hook?…");
  }
}
