// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.TraceContext;
import dev.perdure.server.webhook.guard.WebhookUrl;
import dev.perdure.server.webhook.send.Verb;
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
      Verb verb, @Nullable String body, Map<String, String> headers, IdempotencyScope scope) {
    return new WebhookAction(
        WebhookUrl.parse("https://a.test/hook?x=1"),
        verb,
        body == null ? null : BodyTemplate.parse(body),
        headers,
        Duration.ofSeconds(9),
        CompletionMode.CALLBACK,
        scope);
  }

  private static WebhookAction post(@Nullable String body) {
    return action(Verb.POST, body, Map.of(), IdempotencyScope.ATTEMPT);
  }

  private static CallContext on(Trigger trigger) {
    return new CallContext(
        new WebhookTaskData(ID, "Running", 2, null), trigger, 1, NOW, null, SPAN, "{\"sum\":1}");
  }

  @ParameterizedTest
  @CsvSource({
    "START,   start,  start:success:1:2",
    "SUCCESS, end,    end:success:1:2",
    "FAILURE, end,    end:failure:1:2",
    "RETRY,   retry,  retry:success:1:2",
    "CANCEL,  cancel, cancel:success:1:2"
  })
  void says_which_event_of_which_task_it_tells(Trigger trigger, String word, String key) {
    assertThat(composer.compose(post(null), on(trigger)).headers())
        .containsEntry("Idempotency-Key", ID + ":" + key)
        .containsEntry("X-Task-Id", ID.toString())
        .containsEntry("X-Task-Trigger", word)
        .containsEntry("X-Task-Attempt", "2")
        .doesNotContainKeys("tracestate", "webhook-id", "webhook-signature");
  }

  @Test
  void a_start_whose_attempts_are_the_same_work_has_one_key_for_all() {
    WebhookAction action = action(Verb.POST, null, Map.of(), IdempotencyScope.TASK);

    assertThat(composer.compose(action, on(Trigger.START)).headers())
        .containsEntry("Idempotency-Key", ID + ":start");
    assertThat(composer.compose(action, on(Trigger.FAILURE)).headers())
        .containsEntry("Idempotency-Key", ID + ":end:failure:1:2");
  }

  @Test
  void carries_trace_and_handle() {
    CallContext context =
        new CallContext(
            new WebhookTaskData(ID, "Running", 2, null),
            Trigger.START,
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
  void fills_the_body_in_and_calls_it_json() {
    WebhookRequest call =
        composer.compose(
            post("{\"a\":{{task.attempt}},\"s\":\"{{task.status}}\"}"), on(Trigger.START));

    assertThat(call.body()).isEqualTo("{\"a\":2,\"s\":\"Running\"}");
    assertThat(call.headers()).containsEntry("Content-Type", "application/json");
  }

  @Test
  void the_submitters_headers_go_along_and_win_where_they_may() {
    WebhookAction action =
        action(
            Verb.POST,
            "hello",
            Map.of("content-TYPE", "text/plain", "User-agent", "x", "X-Mine", "1"),
            IdempotencyScope.ATTEMPT);

    assertThat(composer.compose(action, on(Trigger.START)).headers())
        .containsEntry("content-TYPE", "text/plain")
        .containsEntry("User-agent", "x")
        .containsEntry("X-Mine", "1")
        .doesNotContainKeys("Content-Type", "User-Agent");
  }

  @ParameterizedTest
  @EnumSource(Trigger.class)
  void without_a_body_an_end_or_a_retry_tells_of_the_task(Trigger trigger) {
    boolean tells = trigger != Trigger.START && trigger != Trigger.CANCEL;

    assertThat(composer.compose(post(null), on(trigger)).body())
        .isEqualTo(tells ? "{\"sum\":1}" : null);
  }

  @Test
  void a_get_carries_no_summary() {
    WebhookAction get = action(Verb.GET, null, Map.of(), IdempotencyScope.ATTEMPT);

    assertThat(composer.compose(get, on(Trigger.SUCCESS)).body()).isNull();
  }

  @Test
  void is_signed_over_the_body_that_is_sent_with_the_key_as_its_id() {
    WebhookSigner signer = WebhookSigner.of(SECRET);
    WebhookRequest call =
        new RequestComposer(signer).compose(post("{{task.attempt}}"), on(Trigger.START));
    String key = ID + ":start:success:1:2";

    assertThat(call.headers()).containsAllEntriesOf(signer.headers(key, NOW, "2"));
    assertThat(new RequestComposer(signer).compose(post(null), on(Trigger.START)).headers())
        .containsAllEntriesOf(signer.headers(key, NOW, ""));
  }

  @Test
  void shows_neither_headers_nor_bodies() {
    WebhookAction action =
        action(Verb.POST, "secret", Map.of("Authorization", "secret"), IdempotencyScope.ATTEMPT);

    assertThat(action).hasToString("Post https://a.test/hook?…");
    assertThat(composer.compose(action, on(Trigger.START)))
        .hasToString("Post https://a.test/hook?…");
  }
}
