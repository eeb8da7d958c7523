// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import dev.perdure.policy.NearestName;
import dev.perdure.policy.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * A body with places for facts of the task, such as {@code {"id": "{{task.id}}"}}. What is put in
 * is escaped as within a JSON string: no fact can end the string that it stands in.
 */
public final class BodyTemplate {

  /** The most characters of a template. */
  public static final int MOST_CHARACTERS = 256 * 1024;

  /** The most places in one. */
  public static final int MOST_PLACES = 64;

  private static final Pattern PLACE = Pattern.compile("\\{\\{(?:(.{0,100}?)\\}\\})?");
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
      places++;
      problemOf(place.group(1)).ifPresent(problems::add);
    }
    if (places > MOST_PLACES) {
      problems.add("has more than %d places to fill in".formatted(MOST_PLACES));
    }
    return problems;
  }

  private static Optional<String> problemOf(@Nullable String place) {
    if (place == null) {
      return Optional.of("has '{{' without '}}': write {{task.id}}");
    }
    return FACTS.containsKey(place.strip())
        ? Optional.empty()
        : Optional.of(unknown(place.strip()));
  }

  private static String unknown(String name) {
    return "unknown placeholder '{{%s}}'%s (it can have %s)"
        .formatted(
            Problem.quotable(name),
            NearestName.hint(name, FACTS.keySet()),
            String.join(", ", FACTS.keySet()));
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
    return PLACE
        .matcher(text)
        .replaceAll(place -> Matcher.quoteReplacement(fact(place.group(1).strip(), task)));
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
