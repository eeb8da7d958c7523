// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.NameSuggestion;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.http.QueryParameters;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Reads the query parameters of a list. A wrong one is noted and read as if it were missing, so
 * that one response reports every problem; {@link #requireValid} throws them.
 */
final class QueryReader {

  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  private final QueryParameters parameters;
  private final FieldErrors errors = new FieldErrors();

  private QueryReader(QueryParameters parameters) {
    this.parameters = parameters;
  }

  /** Notes every parameter that is not known as an error. */
  static QueryReader of(QueryParameters parameters, List<String> known) {
    QueryReader reader = new QueryReader(parameters);
    for (String name : parameters.names()) {
      if (!known.contains(name)) {
        reader.addProblem(
            FieldError.sanitize(name),
            "unknown parameter%s (known parameters: %s)"
                .formatted(NameSuggestion.hint(name, known), String.join(", ", known)));
      }
    }
    return reader;
  }

  /** Throws InvalidPolicyException when a parameter was wrong or unknown. */
  void requireValid() {
    errors.throwIfAny();
  }

  void addProblem(String name, String message) {
    errors.add(name, message);
  }

  /** Null when the parameter is missing or empty, as in all methods here. */
  @Nullable String text(String name) {
    return parameters.value(name).orElse(null);
  }

  /** One of the known words, ignoring case and underscores. */
  @Nullable String oneOf(String name, List<String> known) {
    String text = text(name);
    return text == null ? null : matchOneOf(name, text, known);
  }

  /**
   * The known word that equals the text, ignoring case and underscores, so that {@code
   * retry_pending} is {@code RetryPending}; null, with an error, when there is none.
   */
  @Nullable String matchOneOf(String name, String text, List<String> known) {
    for (String word : known) {
      if (withoutUnderscores(word).equalsIgnoreCase(withoutUnderscores(text.strip()))) {
        return word;
      }
    }
    addProblem(
        name,
        "unknown %s '%s'%s (%s)"
            .formatted(
                name,
                FieldError.sanitize(text),
                NameSuggestion.hint(text.toLowerCase(Locale.ROOT), known),
                String.join(", ", known)));
    return null;
  }

  private static String withoutUnderscores(String text) {
    return text.replace("_", "");
  }

  long positiveInteger(String name, long defaultValue, long max) {
    return integer(name, defaultValue, 1, max);
  }

  /** A whole number from {@code min}, which must not be negative, to {@code max}. */
  long integer(String name, long defaultValue, long min, long max) {
    String text = text(name);
    if (text == null) {
      return defaultValue;
    }
    long number = NUMBER.matcher(text).matches() ? Long.parseLong(text) : -1;
    if (number < min || number > max) {
      addProblem(
          name,
          "must be a whole number from %d to %d, not '%s'"
              .formatted(min, max, FieldError.sanitize(text)));
      return defaultValue;
    }
    return number;
  }

  /** The number of entries on a page. */
  int pageSize(ApiLimits limits) {
    return pageSize(limits, limits.maxPageSize());
  }

  /** The number of entries on a page of a list that has a maximum of its own. */
  int pageSize(ApiLimits limits, int max) {
    int allowed = Math.min(limits.maxPageSize(), max);
    return (int) positiveInteger("page_size", Math.min(limits.defaultPageSize(), allowed), allowed);
  }

  @Nullable UUID id(String name) {
    String text = text(name);
    UUID id = text == null ? null : parseUuid(text);
    if (text != null && id == null) {
      addProblem(name, "must be an id (a UUID), not '%s'".formatted(FieldError.sanitize(text)));
    }
    return id;
  }

  /**
   * The UUID, or null when the text is not one. Unlike the JDK's parser, it accepts one spelling.
   */
  static @Nullable UUID parseUuid(String text) {
    return UUID_TEXT.matcher(text).matches() ? UUID.fromString(text) : null;
  }

  @Nullable Instant instant(String name) {
    JsonValueReader value = value(name);
    return value == null ? null : value.instant();
  }

  @Nullable Duration duration(String name) {
    JsonValueReader value = value(name);
    return value == null ? null : value.duration();
  }

  private @Nullable JsonValueReader value(String name) {
    String text = text(name);
    return text == null
        ? null
        : new JsonValueReader(name, JsonNodeFactory.instance.stringNode(text), errors);
  }
}
