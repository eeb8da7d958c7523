// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import dev.perdure.policy.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * A body with places for facts of the task, such as {@code {"id": "{{task.id}}"}}. What is put in
 * is escaped as within a JSON string: no fact can end the string that it stands in. Four braces
 * stand for two that are sent: {@code {{{{x}}}}} sends {@code {{x}}}; so do four that nothing
 * closes.
 */
public final class BodyTemplate {

  /** The most characters of a template. */
  public static final int MAX_CHARACTERS = 256 * 1024;

  /** The most places in one. */
  public static final int MAX_PLACEHOLDERS = 64;

  /** Four braces, with what they are closed around, if they are; or two, with a fact. */
  private static final Pattern PLACEHOLDER =
      Pattern.compile(
          "\\{\\{\\{\\{(?:(?<quoted>[^{}]*+)\\}\\}\\}\\})?"
              + "|\\{\\{(?:(?<fact>.{0,100}?)\\}\\})?");

  private static final Map<String, Function<WebhookTaskData, String>> VARIABLES = variables();

  private final String text;

  private BodyTemplate(String text) {
    this.text = text;
  }

  private static Map<String, Function<WebhookTaskData, String>> variables() {
    Map<String, Function<WebhookTaskData, String>> facts = new LinkedHashMap<>();
    facts.put("task.id", task -> task.id().toString());
    facts.put("task.status", WebhookTaskData::status);
    facts.put("task.failure_reason", task -> Optional.ofNullable(task.failureReason()).orElse(""));
    facts.put("task.attempt", task -> Long.toString(task.attempt()));
    return facts;
  }

  /** Everything that is wrong with this text as a template. */
  static List<String> problemsOf(String text) {
    if (text.length() > MAX_CHARACTERS) {
      return List.of(
          "has %d characters, at most %d are allowed".formatted(text.length(), MAX_CHARACTERS));
    }
    List<String> problems = new ArrayList<>();
    Matcher place = PLACEHOLDER.matcher(text);
    int places = 0;
    while (place.find() && problems.size() <= MAX_PLACEHOLDERS) {
      if (!isEscaped(place)) {
        places++;
        problemOf(place).ifPresent(problems::add);
      }
    }
    if (places > MAX_PLACEHOLDERS) {
      problems.add("has more than %d places to fill in".formatted(MAX_PLACEHOLDERS));
    }
    return problems;
  }

  /** Tells where, not what: a body may hold secrets. */
  private static Optional<String> problemOf(MatchResult place) {
    String name = place.group("fact");
    int at = place.start() + 1;
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
    return "unknown placeholder at character %d%s (it can have %s; write {{{{ to send {{)"
        .formatted(
            at, NearestName.hint(name, VARIABLES.keySet()), String.join(", ", VARIABLES.keySet()));
  }

  /**
   * The template of this text.
   *
   * @throws IllegalArgumentException that names every unknown place in it
   */
  public static BodyTemplate parse(String text) {
    List<String> problems = problemsOf(text);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
    return new BodyTemplate(text);
  }

  /** The body for this task. What is put in is not looked at again. */
  public String render(WebhookTaskData task) {
    return PLACEHOLDER
        .matcher(text)
        .replaceAll(place -> Matcher.quoteReplacement(replacement(place, task)));
  }

  private static String replacement(MatchResult place, WebhookTaskData task) {
    if (!isEscaped(place)) {
      return escapedValue(place.group("fact").strip(), task);
    }
    String quoted = place.group("quoted");
    return quoted == null ? "{{" : "{{" + quoted + "}}";
  }

  private static boolean isEscaped(MatchResult place) {
    return place.group().startsWith("{{{{");
  }

  private static String escapedValue(String name, WebhookTaskData task) {
    Function<WebhookTaskData, String> fact = VARIABLES.get(name);
    if (fact == null) {
      throw new IllegalStateException("a template with an unknown placeholder: " + name);
    }
    return new String(JsonStringEncoder.getInstance().quoteAsCharArray(fact.apply(task)));
  }

  /** Its size only: a body may hold secrets. */
  @Override
  public String toString() {
    return "body of %d characters".formatted(text.length());
  }
}
