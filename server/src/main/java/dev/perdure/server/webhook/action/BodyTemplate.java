// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import static java.util.stream.Collectors.toSet;

import dev.perdure.policy.NameSuggestion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.databind.json.JsonMapper;

/**
 * A body with placeholders for the task's data, such as {@code {"id": "{{task.id}}"}}. Values are
 * escaped for a JSON string, so no value can end the string around it. A value that is JSON is
 * inserted as it is where the placeholder stands outside a string or is the whole string, whose
 * quotes it then replaces. Four braces send two: {@code {{{{x}}}}} sends {@code {{x}}}, and so do
 * four opening braces that are never closed.
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
              + "|\\{\\{(?:(?<variable>.{0,300}?)\\}\\})?");

  private static final WebhookTaskData SAMPLE =
      new WebhookTaskData(new UUID(0, 0), "Failure", 0, "reason", Instant.EPOCH);

  private final String text;
  private final String contentType;

  private BodyTemplate(String text, String contentType) {
    this.text = text;
    this.contentType = contentType;
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
    return Placeholder.of(name.strip()).isPresent()
        ? Optional.empty()
        : Optional.of(unknown(name.strip(), at));
  }

  private static String unknown(String name, int at) {
    return "unknown placeholder at character %d%s (known placeholders: %s; write {{{{ to send {{)"
        .formatted(
            at, NameSuggestion.hint(name, Placeholder.NAMES), String.join(", ", Placeholder.NAMES));
  }

  /**
   * Parses a template of a text, which may be JSON.
   *
   * @throws IllegalArgumentException with all problems
   */
  public static BodyTemplate parse(String text) {
    BodyTemplate template = parseJson(text);
    // Decided by the template, not by the values: the type should not change with the task.
    return isJson(template.render(SAMPLE, BatchData.SAMPLE))
        ? template
        : new BodyTemplate(text, TEXT_TYPE);
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

  /** The parents that placeholders are about, as the task names them. */
  public Set<String> parents() {
    return placeholders().map(Placeholder::parent).flatMap(Stream::ofNullable).collect(toSet());
  }

  /** True when a placeholder needs the name or the context of the batch. */
  public boolean usesBatchDefinition() {
    return placeholders().anyMatch(Placeholder::usesDefinition);
  }

  private Stream<Placeholder> placeholders() {
    return PLACEHOLDER
        .matcher(text)
        .results()
        .filter(match -> !isEscaped(match))
        .map(BodyTemplate::placeholder);
  }

  /** The body for this task. Placeholders inside the inserted values are not expanded. */
  public String render(WebhookTaskData task, BatchData batch) {
    StringBuilder body = new StringBuilder();
    Matcher match = PLACEHOLDER.matcher(text);
    boolean inString = false;
    int end = 0;
    while (match.find()) {
      inString = append(body, text.substring(end, match.start()), inString);
      end = match.end();
      if (isEscaped(match)) {
        String quoted = match.group("quoted");
        inString = append(body, quoted == null ? "{{" : "{{" + quoted + "}}", inString);
        continue;
      }
      Placeholder placeholder = placeholder(match);
      String value = placeholder.render(task, batch);
      if (placeholder.isJson() && inString && fillsString(match)) {
        body.setLength(body.length() - 1);
        body.append(value);
        end++;
        inString = false;
      } else {
        body.append(placeholder.isJson() && !inString ? value : escaped(value));
      }
    }
    return body.append(text, end, text.length()).toString();
  }

  /** Appends a part of the template and returns whether it ends inside a JSON string. */
  private static boolean append(StringBuilder body, String part, boolean startsInString) {
    boolean inString = startsInString;
    for (int i = 0; i < part.length(); i++) {
      char next = part.charAt(i);
      if (inString && next == '\\') {
        i++;
      } else if (next == '"') {
        inString = !inString;
      }
    }
    body.append(part);
    return inString;
  }

  /** For a placeholder inside a string: true when there is nothing else in the string. */
  private boolean fillsString(MatchResult match) {
    return text.charAt(match.start() - 1) == '"'
        && (match.start() < 2 || text.charAt(match.start() - 2) != '\\')
        && match.end() < text.length()
        && text.charAt(match.end()) == '"';
  }

  private static Placeholder placeholder(MatchResult match) {
    String name = match.group("variable").strip();
    return Placeholder.of(name)
        .orElseThrow(
            () -> new IllegalStateException("the template has an unknown placeholder: " + name));
  }

  private static String escaped(String value) {
    return new String(JsonStringEncoder.getInstance().quoteAsCharArray(value));
  }

  private static boolean isEscaped(MatchResult match) {
    return match.group().startsWith("{{{{");
  }

  /** Only the size: the body may contain secrets. */
  @Override
  public String toString() {
    return "body of %d characters".formatted(text.length());
  }
}
