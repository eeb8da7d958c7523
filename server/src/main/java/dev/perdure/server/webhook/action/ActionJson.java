// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import dev.perdure.policy.Problem;
import dev.perdure.policy.Problems;
import dev.perdure.server.webhook.guard.AddressGuard;
import dev.perdure.server.webhook.guard.WebhookUrl;
import dev.perdure.server.webhook.send.SenderOptions;
import dev.perdure.server.webhook.send.Verb;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads actions: {@code {"kind": "Webhook", "params": {"url": …, "verb": "Post"}}}. Everything that
 * is wrong with one is told at once, each with its path; no message repeats a value that may be a
 * secret. Immutable, safe to share.
 */
public final class ActionJson {

  /** The longest timeout of a start; work that takes longer reports by callback. */
  public static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(10);

  /** The longest timeout of any other call: whoever is told something need only say yes. */
  public static final Duration LONGEST_TELLING = Duration.ofMinutes(1);

  private final AddressGuard guard;

  /**
   * Reads actions.
   *
   * @param guard refuses addresses early; names are judged when they are called
   */
  public ActionJson(AddressGuard guard) {
    this.guard = guard;
  }

  /**
   * The action that stands at this path; null when anything in it is wrong, which is then among the
   * problems.
   */
  public @Nullable WebhookAction read(
      JsonNode json, String path, Trigger trigger, Problems problems) {
    int before = problems.count();
    ActionFields fields = ActionFields.of(json, path, problems);
    if (fields == null) {
      return null;
    }
    kind(fields);
    agree(fields, trigger);
    ActionFields params = fields.object("params");
    fields.refuseOthers();
    WebhookAction action = params == null ? null : params(params, trigger, problems);
    return problems.count() == before ? action : null;
  }

  private static void kind(ActionFields fields) {
    String kind = fields.text("kind", fields.required("kind"));
    if (kind != null && !kind.equals("Webhook")) {
      fields.wrong(
          "kind", "unknown kind '%s'; the only one is 'Webhook'".formatted(Problem.quotable(kind)));
    }
  }

  /** Older clients repeat the trigger inside its action. */
  private static void agree(ActionFields fields, Trigger trigger) {
    String text = fields.text("trigger", fields.given("trigger"));
    boolean agrees =
        text == null
            || text.equalsIgnoreCase(trigger.text())
            || text.equalsIgnoreCase(trigger.field());
    if (!agrees) {
      fields.wrong("trigger", "must be '%s' here, or be left out".formatted(trigger.text()));
    }
  }

  private @Nullable WebhookAction params(ActionFields params, Trigger trigger, Problems problems) {
    WebhookUrl url = url(params);
    Verb verb = params.word("verb", params.required("verb"), Verb.values(), Verb::text);
    BodyTemplate body = body(params, verb);
    JsonNode given = params.given("headers");
    Map<String, String> headers =
        given == null ? Map.of() : HeadersForm.read(given, params.path("headers"), problems);
    Duration timeout =
        params.duration("timeout", trigger == Trigger.START ? LONGEST_TIMEOUT : LONGEST_TELLING);
    Completion completion = completion(params, trigger);
    Idempotency idempotency = idempotency(params, trigger, completion);
    params.refuseOthers();
    return url == null || verb == null
        ? null
        : new WebhookAction(
            url,
            verb,
            body,
            headers,
            timeout == null ? SenderOptions.CALL_TIMEOUT : timeout,
            completion,
            idempotency);
  }

  private @Nullable WebhookUrl url(ActionFields params) {
    String text = params.text("url", params.required("url"));
    if (text == null) {
      return null;
    }
    try {
      WebhookUrl url = WebhookUrl.parse(text);
      Optional<String> refusal = guard.refusal(url);
      refusal.ifPresent(why -> params.wrong("url", why));
      return url;
    } catch (IllegalArgumentException e) {
      params.wrong("url", String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** Text is sent as it stands, anything else as JSON; null is no body. */
  private static @Nullable BodyTemplate body(ActionFields params, @Nullable Verb verb) {
    JsonNode json = params.given("body");
    if (json == null) {
      return null;
    }
    if (verb != null && !verb.takesBody()) {
      params.wrong("body", "cannot be sent with a Get: leave it out or use Post");
      return null;
    }
    String text = json.isString() ? json.stringValue() : json.toString();
    List<String> problems = BodyTemplate.problemsOf(text);
    problems.forEach(problem -> params.wrong("body", problem));
    return problems.isEmpty() ? BodyTemplate.parse(text) : null;
  }

  private static Completion completion(ActionFields params, Trigger trigger) {
    JsonNode json = startOnly(params, "completion", trigger);
    Completion given = params.word("completion", json, Completion.values(), Completion::text);
    return given == null ? Completion.CALLBACK : given;
  }

  /** Where the answer is the result, the call itself is the work, and all attempts are the same. */
  private static Idempotency idempotency(
      ActionFields params, Trigger trigger, Completion completion) {
    JsonNode json = startOnly(params, "idempotency", trigger);
    Idempotency given = params.word("idempotency", json, Idempotency.values(), Idempotency::text);
    Idempotency usual = completion == Completion.RESPONSE ? Idempotency.TASK : Idempotency.ATTEMPT;
    return given == null ? usual : given;
  }

  private static @Nullable JsonNode startOnly(ActionFields params, String name, Trigger trigger) {
    JsonNode json = params.given(name);
    if (json == null || trigger == Trigger.START) {
      return json;
    }
    params.wrong(name, "can stand in on_start only");
    return null;
  }
}
