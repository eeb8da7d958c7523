// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.server.webhook.guard.AddressGuard;
import dev.perdure.server.webhook.guard.AllowList;
import dev.perdure.server.webhook.send.HttpMethod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class ActionJsonTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String URL = "\"url\":\"https://a.test/x\",\"verb\":\"Post\"";

  private final ActionJson actions = new ActionJson(new AddressGuard(AllowList.none()));

  private WebhookAction read(String json, ActionTrigger trigger) {
    FieldErrors errors = new FieldErrors();
    WebhookAction action = actions.read(JSON.readTree(json), "on_start", trigger, errors);
    assertThat(errors.list()).isEmpty();
    return requireNonNull(action);
  }

  private WebhookAction params(String params) {
    return read("{\"kind\":\"Webhook\",\"params\":{" + params + "}}", ActionTrigger.START);
  }

  private List<String> problems(String json, ActionTrigger trigger) {
    FieldErrors errors = new FieldErrors();
    assertThat(actions.read(JSON.readTree(json), "on_start", trigger, errors)).isNull();
    return errors.list().stream().map(FieldError::toString).toList();
  }

  private List<String> problemsOfParams(String params) {
    return problems("{\"kind\":\"Webhook\",\"params\":{" + params + "}}", ActionTrigger.START);
  }

  @Nested
  class ValidActions {

    @Test
    void url_and_verb_are_sufficient() {
      WebhookAction action = params(URL);

      assertThat(action.url()).hasToString("https://a.test/x");
      assertThat(action.verb()).isEqualTo(HttpMethod.POST);
      assertThat(action.body()).isNull();
      assertThat(action.headers()).isEmpty();
      assertThat(action.timeout()).isEqualTo(Duration.ofSeconds(30));
      assertThat(action.completion()).isEqualTo(CompletionMode.CALLBACK);
      assertThat(action.idempotency()).isEqualTo(IdempotencyScope.ATTEMPT);
    }

    @Test
    void all_fields_are_read() {
      WebhookAction action =
          params(
              URL
                  + """
                  ,"body":{"id":"{{task.id}}"},"headers":{"Authorization":"Bearer x"},\
                  "timeout":"2m","completion":"response","idempotency":"attempt"\
                  """);
      WebhookTaskData task = new WebhookTaskData(new UUID(0, 1), "Running", 0, null, null);

      assertThat(requireNonNull(action.body()).render(task, BatchData.SAMPLE))
          .isEqualTo("{\"id\":\"00000000-0000-0000-0000-000000000001\"}");
      assertThat(action.headers()).isEqualTo(Map.of("Authorization", "Bearer x"));
      assertThat(action.timeout()).isEqualTo(Duration.ofMinutes(2));
      assertThat(action.completion()).isEqualTo(CompletionMode.RESPONSE);
      assertThat(action.idempotency()).isEqualTo(IdempotencyScope.ATTEMPT);
    }

    @Test
    void in_response_mode_all_attempts_share_one_key() {
      assertThat(params(URL + ",\"completion\":\"response\"").idempotency())
          .isEqualTo(IdempotencyScope.TASK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Get", "GET", "get", "Post", "Put", "Patch", "Delete"})
    void verbs_ignore_case(String verb) {
      assertThat(params("\"url\":\"https://a.test/\",\"verb\":\"" + verb + "\"").verb().text())
          .isEqualToIgnoringCase(verb);
    }

    @Test
    void a_text_body_is_sent_as_text() {
      WebhookTaskData task = new WebhookTaskData(new UUID(0, 1), "Running", 4, null, null);

      WebhookAction action = params(URL + ",\"body\":\"n={{task.attempt}}\"");

      assertThat(requireNonNull(action.body()).render(task, BatchData.SAMPLE)).isEqualTo("n=4");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "7           | application/json",
          "true        | application/json",
          "{\"a\":1}     | application/json",
          "\"7\"         | text/plain; charset=utf-8",
          "\"{\\\"a\\\":1}\" | application/json"
        })
    void a_text_body_is_plain_text_unless_it_is_json(String body, String type) {
      assertThat(requireNonNull(params(URL + ",\"body\":" + body).body()).contentType())
          .isEqualTo(type);
    }

    @Test
    void null_means_absent() {
      assertThat(params(URL + ",\"body\":null,\"headers\":null,\"timeout\":null").body()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"START, start", "START, Start", "START, on_start", "FAILURE, end", "FAILURE, End"})
    void a_trigger_is_accepted_when_it_matches_its_field(ActionTrigger trigger, String text) {
      String json = "{\"kind\":\"Webhook\",\"trigger\":\"" + text + "\",\"params\":{" + URL + "}}";

      assertThat(read(json, trigger)).isNotNull();
    }
  }

  @Nested
  class InvalidActions {

    @Test
    void all_errors_are_reported_at_once_with_their_paths() {
      assertThat(
              problemsOfParams(
                  """
                  "url":"http://127.0.0.1/","verb":"Pots","body":"{{task.ids}}",\
                  "headers":{"Host":"x","X-A":1},"timeout":30,"completion":"later",\
                  "idempotency":"never","metod":"x"\
                  """))
          .containsExactly(
              "on_start.params.url: 127.0.0.1 is a non-public address (loopback): "
                  + "an operator can allow it with WEBHOOK_ALLOW",
              "on_start.params.verb: unknown verb 'Pots'; did you mean 'Post'? "
                  + "(Get, Post, Put, Patch, Delete)",
              "on_start.params.body: unknown placeholder at character 1; did you mean 'task.id'? "
                  + "(known placeholders: task.id, task.status, task.failure_reason, task.attempt,"
                  + " task.next_attempt, task.next_retry_at, batch.id, batch.name, batch.context,"
                  + " parents.<id>.result, parents.<id>.status; write {{{{ to"
                  + " send {{)",
              "on_start.params.headers.Host: is set by the connection: leave it out",
              "on_start.params.headers.X-A: must be a string, not a number",
              "on_start.params.timeout: has no unit: write \"30s\" for 30 seconds",
              "on_start.params.completion: unknown completion 'later' (callback, response)",
              "on_start.params.idempotency: unknown idempotency 'never' (attempt, task)",
              "on_start.params.metod: unknown field (known fields: url, verb, body, headers, timeout,"
                  + " completion, idempotency)");
    }

    @Test
    void missing_required_fields_are_reported() {
      assertThat(problemsOfParams(""))
          .containsExactly("on_start.params.url: is required", "on_start.params.verb: is required");
      assertThat(problems("{}", ActionTrigger.START))
          .containsExactly("on_start.kind: is required", "on_start.params: is required");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "[] | on_start: must be an object, not an array",
          "null | on_start: must be an object, not null",
          "\"x\" | on_start: must be an object, not a string",
          "{\"kind\":\"Webhook\",\"params\":[]} | on_start.params: must be an object, not an array"
        })
    void values_that_are_not_actions_are_rejected(String json, String problem) {
      assertThat(problems(json, ActionTrigger.START)).containsExactly(problem);
    }

    @Test
    void a_wrong_kind_and_a_wrong_trigger_are_rejected() {
      String json = "{\"kind\":\"Email\",\"trigger\":\"end\",\"parms\":1,\"params\":{" + URL + "}}";

      assertThat(problems(json, ActionTrigger.START))
          .containsExactly(
              "on_start.kind: unknown kind 'Email'; the only one is 'Webhook'",
              "on_start.trigger: must be 'start' here: leave it out",
              "on_start.parms: unknown field; did you mean 'params'? (known fields: kind, trigger,"
                  + " params)");
    }

    @Test
    void completion_and_idempotency_outside_on_start_are_rejected() {
      String json =
          "{\"kind\":\"Webhook\",\"params\":{"
              + URL
              + ",\"completion\":\"response\",\"idempotency\":\"task\"}}";

      assertThat(problems(json, ActionTrigger.FAILURE))
          .containsExactly(
              "on_start.params.completion: is only allowed in on_start: leave it out",
              "on_start.params.idempotency: is only allowed in on_start: leave it out");
    }

    @Test
    void a_get_with_a_body_is_rejected() {
      assertThat(problemsOfParams("\"url\":\"https://a.test/\",\"verb\":\"Get\",\"body\":{}"))
          .containsExactly(
              "on_start.params.body: cannot be sent with Get: leave it out or use Post");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "11m", "601s", "PT0.0001S"})
    void a_timeout_out_of_range_is_rejected(String timeout) {
      assertThat(problemsOfParams(URL + ",\"timeout\":\"" + timeout + "\""))
          .containsExactly("on_start.params.timeout: must be more than 0 and at most 10m");
    }

    @Test
    void an_invalid_timeout_is_rejected() {
      assertThat(problemsOfParams(URL + ",\"timeout\":\"soon\""))
          .singleElement()
          .asString()
          .startsWith("on_start.params.timeout: 'soon' is not a duration");
      assertThat(problemsOfParams(URL + ",\"timeout\":\"P999999999D\""))
          .containsExactly("on_start.params.timeout: must be more than 0 and at most 10m");
    }

    @Test
    void an_invalid_url_is_not_repeated() {
      assertThat(problemsOfParams("\"url\":\"https://user:secret@a.test/\",\"verb\":\"Post\""))
          .containsExactly(
              "on_start.params.url: has a user name or password: send them in a header");
    }

    @Test
    void unknown_fields_are_reported_up_to_a_limit() {
      StringBuilder many = new StringBuilder(URL);
      for (int i = 0; i < 1_000; i++) {
        many.append(",\"zzzzzzzz").append(i).append("\":1");
      }
      assertThat(problemsOfParams(many.toString())).hasSize(20);
    }
  }

  @Nested
  class Headers {

    private List<String> headers(String json) {
      return problemsOfParams(URL + ",\"headers\":" + json);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "Host",
          "hOsT",
          "Content-Length",
          "Transfer-Encoding",
          "Connection",
          "Keep-Alive",
          "Proxy-Authorization",
          "Proxy-Connection",
          "TE",
          "Trailer",
          "Upgrade",
          "Expect",
          "Accept-Encoding"
        })
    void connection_headers_are_rejected(String name) {
      assertThat(headers("{\"" + name + "\":\"x\"}"))
          .containsExactly(
              "on_start.params.headers." + name + ": is set by the connection: leave it out");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "Idempotency-Key",
          "x-task-id",
          "X-Task-Trigger",
          "X-Task-Attempt",
          "Traceparent",
          "webhook-id",
          "webhook-timestamp",
          "Webhook-Signature"
        })
    void reserved_headers_are_rejected(String name) {
      assertThat(headers("{\"" + name + "\":\"x\"}"))
          .containsExactly(
              "on_start.params.headers."
                  + name
                  + ": is set by Perdure on every webhook: leave it out");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\\r\\nB: c", "a\\nb", "a\\rb", "a\\u0000b", "a\\u007fb", "é", " a"})
    void values_with_control_or_non_ascii_characters_are_rejected(String value) {
      assertThat(headers("{\"X-A\":\"" + value + "\"}"))
          .containsExactly(
              "on_start.params.headers.X-A: must be printable ASCII on one line and must not begin with"
                  + " a space");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:b", "a\\r\\nb", "é", "(a)"})
    void invalid_names_are_rejected(String name) {
      assertThat(headers("{\"" + name + "\":\"x\"}"))
          .singleElement()
          .asString()
          .endsWith(": is not a valid header name: use letters, digits and -");
    }

    @Test
    void the_same_name_twice_in_another_case_is_rejected() {
      assertThat(headers("{\"X-A\":\"1\",\"x-a\":\"2\"}"))
          .containsExactly(
              "on_start.params.headers.x-a: is given twice, as names ignore case: keep one");
    }

    @Test
    void too_many_or_too_long_headers_are_rejected() {
      StringBuilder many = new StringBuilder();
      StringBuilder large = new StringBuilder();
      for (int i = 0; i < 33; i++) {
        many.append(",\"X-").append(i).append("\":\"x\"");
      }
      for (int i = 0; i < 5; i++) {
        large.append(",\"X-").append(i).append("\":\"").append("x".repeat(4_000)).append('"');
      }
      assertThat(headers("{" + many.substring(1) + "}"))
          .containsExactly("on_start.params.headers: must have at most 32 headers, not 33");
      assertThat(headers("{" + large.substring(1) + "}"))
          .containsExactly(
              "on_start.params.headers: must have at most 16384 characters in total, not 20015");
      assertThat(headers("{\"X-A\":\"" + "x".repeat(4_097) + "\"}"))
          .containsExactly("on_start.params.headers.X-A: must have at most 4096 characters");
      assertThat(headers("{\"" + "x".repeat(129) + "\":\"x\"}"))
          .singleElement()
          .asString()
          .endsWith("must have a name of at most 128 characters");
      assertThat(headers("[]"))
          .containsExactly("on_start.params.headers: must be an object, not an array");
    }
  }
}
