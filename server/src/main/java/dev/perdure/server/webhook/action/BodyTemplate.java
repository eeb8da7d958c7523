// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import dev.perdure.policy.InstantText;
import dev.perdure.policy.NameSuggestion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.databind.json.JsonMapper;

/**
 * A body with placeholders for the task's data, such as {@code {"id": "{{task.id}}"}}. Values are
 * escaped for a JSON string, so no value can end the string around it. Four braces send two: {@code
 * {{{{x}}}}} sends {@code {{x}}}, and so do four opening braces that are never closed.
 */
public final class BodyTemplate {

  /** Characters of a template, at most. */
  public static final int MAX_CHARACTERS = 256 * 1024;

  /** The content type of JSON. */
  static final String JSON_TYPE = "application/json";

  private static final String TEXT_TYPE = "text/plain; charset=utf-8";

  /** Placeholders in a template, at most. */
  public static final int MAX_PLACEHOLDERS = 64;

  /** Four braces with the text that they enclose, if they are closed; or two with a variable. */
  private static final Pattern PLACEHOLDER =
      Pattern.compile(
          "\\{\\{\\{\\{(?:(?<quoted>[^{}]*+)\\}\\}\\}\\})?"
              + "|\\{\\{(?:(?<variable>.{0,100}?)\\}\\})?");

  private static final Map<String, Function<WebhookTaskData, String>> VARIABLES = variables();

  private static final WebhookTaskData SAMPLE =
      new WebhookTaskData(new UUID(0, 0), "Failure", 0, "reason", Instant.EPOCH);

  private final String text;
  private final String contentType;

  private BodyTemplate(String text, String contentType) {
    this.text = text;
    this.contentType = contentType;
  }

  private static Map<String, Function<WebhookTaskData, String>> variables() {
    Map<String, Function<WebhookTaskData, String>> variables = new LinkedHashMap<>();
    variables.put("task.id", task -> task.id().toString());
    variables.put("task.status", WebhookTaskData::status);
    variables.put(
        "task.failure_reason", task -> Optional.ofNullable(task.failureReason()).orElse(""));
    variables.put("task.attempt", task -> Long.toString(task.attempt()));
    variables.put("task.next_attempt", BodyTemplate::nextAttempt);
    variables.put(
        "task.next_retry_at",
        task -> Optional.ofNullable(InstantText.of(task.nextRetryAt())).orElse(""));
    return variables;
  }

  private static String nextAttempt(WebhookTaskData task) {
    return task.nextRetryAt() == null ? "" : Long.toString(task.attempt() + 1);
  }

  /** All problems of this text as a template. */
  static List<String> problemsOf(String text) {
    if (text.length() > MAX_CHARACTERS) {
      return List.of(
          "must have at most %d characters, not %d".formatted(MAX_CHARACTERS, text.length()));
    }
    List<String> problems = new ArrayList<>();
    Matcher match = PLACEHOLDER.matcher(text);
    int placeholders = 0;
    while (match.find() && problems.size() <= MAX_PLACEHOLDERS) {
      if (!isEscaped(match)) {
        placeholders++;
        problemOf(match).ifPresent(problems::add);
      }
    }
    if (placeholders > MAX_PLACEHOLDERS) {
      problems.add("must have at most %d placeholders".formatted(MAX_PLACEHOLDERS));
    }
    return problems;
  }

  /** Says where the problem is but does not quote the body, which may contain secrets. */
  private static Optional<String> problemOf(MatchResult match) {
    String name = match.group("variable");
    int at = match.start() + 1;
    if (name == null) {
      return Optional.of(
          "has '{{' without '}}' at character %d: write {{task.id}}, or {{{{ to send {{"
              .formatted(at));
    }
    return VARIABLES.containsKey(name.strip())
        ? Optional.empty()
        : Optional.of(unknown(name.strip(), at));
  }

  private static String unknown(String name, int at) {
    return "unknown placeholder at character %d%s (known placeholders: %s; write {{{{ to send {{)"
        .formatted(
            at,
            NameSuggestion.hint(name, VARIABLES.keySet()),
            String.join(", ", VARIABLES.keySet()));
  }

  /**
   * Parses a template of a text, which may be JSON.
   *
   * @throws IllegalArgumentException with all problems
   */
  public static BodyTemplate parse(String text) {
    BodyTemplate template = parseJson(text);
    // Decided by the template, not by the values: the type should not change with the task.
    return isJson(template.render(SAMPLE)) ? template : new BodyTemplate(text, TEXT_TYPE);
  }

  /**
   * Parses a template of JSON.
   *
   * @throws IllegalArgumentException with all problems
   */
  static BodyTemplate parseJson(String text) {
    List<String> problems = problemsOf(text);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
    return new BodyTemplate(text, JSON_TYPE);
  }

  /** True for an object or an array: a word or a number alone is rather meant as text. */
  private static boolean isJson(String text) {
    try (JsonParser parser = JsonMapper.shared().createParser(text)) {
      JsonToken first = parser.nextToken();
      return first != null && first.isStructStart() && parser.skipChildren().nextToken() == null;
    } catch (JacksonException e) {
      return false;
    }
  }

  /** The content type of the body, unless the action has a header that names another one. */
  String contentType() {
    return contentType;
  }

  /** The body for this task. Placeholders inside the inserted values are not expanded. */
  public String render(WebhookTaskData task) {
    return PLACEHOLDER
        .matcher(text)
        .replaceAll(match -> Matcher.quoteReplacement(replacement(match, task)));
  }

  private static String replacement(MatchResult match, WebhookTaskData task) {
    if (!isEscaped(match)) {
      return escapedValue(match.group("variable").strip(), task);
    }
    String quoted = match.group("quoted");
    return quoted == null ? "{{" : "{{" + quoted + "}}";
  }

  private static boolean isEscaped(MatchResult match) {
    return match.group().startsWith("{{{{");
  }

  private static String escapedValue(String name, WebhookTaskData task) {
    Function<WebhookTaskData, String> variable = VARIABLES.get(name);
    if (variable == null) {
      throw new IllegalStateException("the template has an unknown placeholder: " + name);
    }
    return new String(JsonStringEncoder.getInstance().quoteAsCharArray(variable.apply(task)));
  }

  /** Only the size: the body may contain secrets. */
  @Override
  public String toString() {
    return "body of %d characters".formatted(text.length());
  }
}
