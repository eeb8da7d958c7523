// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.server.webhook.guard.AddressGuard;
import dev.perdure.server.webhook.guard.WebhookUrl;
import dev.perdure.server.webhook.send.HttpMethod;
import dev.perdure.server.webhook.send.SenderOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads actions: {@code {"kind": "Webhook", "params": {"url": …, "verb": "Post"}}}. Reports all
 * errors of an action at once, each with its path; no message repeats a value that may be a secret.
 * Immutable, safe to share.
 */
public final class ActionJson {

  /** The longest timeout of {@code on_start}; longer work uses callback mode. */
  public static final Duration MAX_START_TIMEOUT = Duration.ofMinutes(10);

  /** The longest timeout of any other call, which only needs to be acknowledged. */
  public static final Duration MAX_DELIVERY_TIMEOUT = Duration.ofMinutes(1);

  /** Stands for what the server does not show. */
  public static final String HIDDEN = "…";

  private final AddressGuard guard;

  /**
   * @param guard refuses forbidden addresses early; host names are checked when they are called
   */
  public ActionJson(AddressGuard guard) {
    this.guard = guard;
  }

  /**
   * Reads the action at this path. Returns null when anything in it is wrong; the errors say what.
   */
  public @Nullable WebhookAction read(
      JsonNode json, String path, ActionTrigger trigger, FieldErrors errors) {
    int before = errors.count();
    ActionFields fields = ActionFields.of(json, path, errors);
    if (fields == null) {
      return null;
    }
    kind(fields);
    checkTrigger(fields, trigger);
    ActionFields params = fields.object("params");
    fields.rejectUnknownFields();
    WebhookAction action = params == null ? null : params(params, trigger, errors);
    return errors.count() == before ? action : null;
  }

  private static void kind(ActionFields fields) {
    String kind = fields.text("kind", fields.required("kind"));
    if (kind != null && !kind.equals("Webhook")) {
      fields.addProblem(
          "kind",
          "unknown kind '%s'; the only one is 'Webhook'".formatted(FieldError.sanitize(kind)));
    }
  }

  /** Older clients repeat the trigger inside the action. */
  private static void checkTrigger(ActionFields fields, ActionTrigger trigger) {
    String text = fields.text("trigger", fields.optional("trigger"));
    boolean agrees =
        text == null
            || text.equalsIgnoreCase(trigger.text())
            || text.equalsIgnoreCase(trigger.field());
    if (!agrees) {
      fields.addProblem("trigger", "must be '%s' here: leave it out".formatted(trigger.text()));
    }
  }

  private @Nullable WebhookAction params(
      ActionFields params, ActionTrigger trigger, FieldErrors errors) {
    WebhookUrl url = url(params);
    HttpMethod httpMethod =
        params.enumValue("verb", params.required("verb"), HttpMethod.values(), HttpMethod::text);
    BodyTemplate body = body(params, httpMethod);
    JsonNode given = params.optional("headers");
    Map<String, String> headers =
        given == null ? Map.of() : HeaderParser.parse(given, params.path("headers"), errors);
    Duration timeout =
        params.duration(
            "timeout", trigger == ActionTrigger.START ? MAX_START_TIMEOUT : MAX_DELIVERY_TIMEOUT);
    CompletionMode completion = completion(params, trigger);
    IdempotencyScope scope = idempotency(params, trigger, completion);
    params.rejectUnknownFields();
    return url == null || httpMethod == null
        ? null
        : new WebhookAction(
            url,
            httpMethod,
            body,
            headers,
            timeout == null ? SenderOptions.DEFAULT_CALL_TIMEOUT : timeout,
            completion,
            scope);
  }

  private @Nullable WebhookUrl url(ActionFields params) {
    String text = params.text("url", params.required("url"));
    if (text == null) {
      return null;
    }
    try {
      WebhookUrl url = WebhookUrl.parse(text);
      Optional<String> refusal = guard.refusal(url);
      refusal.ifPresent(why -> params.addProblem("url", why));
      return url;
    } catch (IllegalArgumentException e) {
      params.addProblem("url", String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** A string is sent as it is, anything else as JSON; null means no body. */
  private static @Nullable BodyTemplate body(ActionFields params, @Nullable HttpMethod httpMethod) {
    JsonNode json = params.optional("body");
    if (json == null) {
      return null;
    }
    if (httpMethod != null && !httpMethod.takesBody()) {
      params.addProblem("body", "cannot be sent with Get: leave it out or use Post");
      return null;
    }
    String text = json.isString() ? json.stringValue() : json.toString();
    if (text.equals(HIDDEN)) {
      params.addProblem("body", "is hidden in what the server shows: send the real one");
      return null;
    }
    List<String> problems = BodyTemplate.problemsOf(text);
    problems.forEach(problem -> params.addProblem("body", problem));
    if (!problems.isEmpty()) {
      return null;
    }
    return json.isString() ? BodyTemplate.parse(text) : BodyTemplate.parseJson(text);
  }

  private static CompletionMode completion(ActionFields params, ActionTrigger trigger) {
    JsonNode json = startOnly(params, "completion", trigger);
    CompletionMode given =
        params.enumValue("completion", json, CompletionMode.values(), CompletionMode::text);
    return given == null ? CompletionMode.CALLBACK : given;
  }

  /** In response mode the call itself is the work, so all attempts share one key by default. */
  private static IdempotencyScope idempotency(
      ActionFields params, ActionTrigger trigger, CompletionMode completion) {
    JsonNode json = startOnly(params, "idempotency", trigger);
    IdempotencyScope given =
        params.enumValue("idempotency", json, IdempotencyScope.values(), IdempotencyScope::text);
    IdempotencyScope defaultScope =
        completion == CompletionMode.RESPONSE ? IdempotencyScope.TASK : IdempotencyScope.ATTEMPT;
    return given == null ? defaultScope : given;
  }

  private static @Nullable JsonNode startOnly(
      ActionFields params, String name, ActionTrigger trigger) {
    JsonNode json = params.optional(name);
    if (json == null || trigger == ActionTrigger.START) {
      return json;
    }
    params.addProblem(name, "is only allowed in on_start: leave it out");
    return null;
  }
}
