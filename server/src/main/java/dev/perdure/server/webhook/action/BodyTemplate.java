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
  public static final int MOST_CHARACTERS = 256 * 1024;

  /** The most places in one. */
  public static final int MOST_PLACES = 64;

  /** Four braces, with what they are closed around, if they are; or two, with a fact. */
  private static final Pattern PLACE =
      Pattern.compile(
          "\\{\\{\\{\\{(?:(?<quoted>[^{}]*+)\\}\\}\\}\\})?"
              + "|\\{\\{(?:(?<fact>.{0,100}?)\\}\\})?");

  private static final Map<String, Function<TaskFacts, String>> FACTS = facts();

  private final String text;

  private BodyTemplate(String text) {
    this.text = text;
  }

  private static Map<String, Function<TaskFacts, String>> facts() {
    Map<String, Function<TaskFacts, String>> facts = new LinkedHashMap<>();
    facts.put("task.id", task -> task.id().toString());
    facts.put("task.status", TaskFacts::status);
    facts.put("task.failure_reason", task -> Optional.ofNullable(task.failureReason()).orElse(""));
    facts.put("task.attempt", task -> Long.toString(task.attempt()));
    return facts;
  }

  /** Everything that is wrong with this text as a template. */
  static List<String> problemsOf(String text) {
    if (text.length() > MOST_CHARACTERS) {
      return List.of(
          "has %d characters, at most %d are allowed".formatted(text.length(), MOST_CHARACTERS));
    }
    List<String> problems = new ArrayList<>();
    Matcher place = PLACE.matcher(text);
    int places = 0;
    while (place.find() && problems.size() <= MOST_PLACES) {
      if (!isQuoted(place)) {
        places++;
        problemOf(place).ifPresent(problems::add);
      }
    }
    if (places > MOST_PLACES) {
      problems.add("has more than %d places to fill in".formatted(MOST_PLACES));
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
    return FACTS.containsKey(name.strip())
        ? Optional.empty()
        : Optional.of(unknown(name.strip(), at));
  }

  private static String unknown(String name, int at) {
    return "unknown placeholder at character %d%s (it can have %s; write {{{{ to send {{)"
        .formatted(at, NearestName.hint(name, FACTS.keySet()), String.join(", ", FACTS.keySet()));
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
  public String fill(TaskFacts task) {
    return PLACE.matcher(text).replaceAll(place -> Matcher.quoteReplacement(filled(place, task)));
  }

  private static String filled(MatchResult place, TaskFacts task) {
    if (!isQuoted(place)) {
      return fact(place.group("fact").strip(), task);
    }
    String quoted = place.group("quoted");
    return quoted == null ? "{{" : "{{" + quoted + "}}";
  }

  private static boolean isQuoted(MatchResult place) {
    return place.group().startsWith("{{{{");
  }

  private static String fact(String name, TaskFacts task) {
    Function<TaskFacts, String> fact = FACTS.get(name);
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
