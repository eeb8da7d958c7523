// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.NearestName;
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
 * The parameters of a list. A wrong one is noted and read as if it were missing, so that one answer
 * tells everything that is wrong; {@link #requireValid} then ends it.
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

  /** Notes parameters that are none of these. */
  static QueryReader of(QueryParameters parameters, List<String> known) {
    QueryReader form = new QueryReader(parameters);
    for (String name : parameters.names()) {
      if (!known.contains(name)) {
        form.addProblem(
            FieldError.sanitize(name),
            "unknown parameter%s (%s)"
                .formatted(NearestName.hint(name, known), String.join(", ", known)));
      }
    }
    return form;
  }

  /** Goes on only when everything was right; else throws InvalidPolicyException. */
  void requireValid() {
    errors.throwIfAny();
  }

  void addProblem(String name, String message) {
    errors.add(name, message);
  }

  /** Null when it is missing or empty, as with the others. */
  @Nullable String text(String name) {
    return parameters.value(name).orElse(null);
  }

  /** One of these words, in any case. */
  @Nullable String oneOf(String name, List<String> known) {
    String text = text(name);
    return text == null ? null : matchOneOf(name, text, known);
  }

  /** The known word that the text is, in any case; null, and noted, when it is none. */
  @Nullable String matchOneOf(String name, String text, List<String> known) {
    for (String word : known) {
      if (word.equalsIgnoreCase(text.strip())) {
        return word;
      }
    }
    addProblem(
        name,
        "unknown %s '%s'%s (%s)"
            .formatted(
                name.replace('_', ' '),
                FieldError.sanitize(text),
                NearestName.hint(text.toLowerCase(Locale.ROOT), known),
                String.join(", ", known)));
    return null;
  }

  long positiveInteger(String name, long otherwise, long most) {
    String text = text(name);
    if (text == null) {
      return otherwise;
    }
    long number = NUMBER.matcher(text).matches() ? Long.parseLong(text) : 0;
    if (number < 1 || number > most) {
      addProblem(
          name,
          "must be a whole number from 1 to %d, not '%s'"
              .formatted(most, FieldError.sanitize(text)));
      return otherwise;
    }
    return number;
  }

  /** How many are on a page. */
  int pageSize(ApiLimits limits) {
    return (int) positiveInteger("page_size", limits.defaultPageSize(), limits.maxPageSize());
  }

  @Nullable UUID id(String name) {
    String text = text(name);
    UUID id = text == null ? null : parseUuid(text);
    if (text != null && id == null) {
      addProblem(name, "'%s' is not an id".formatted(FieldError.sanitize(text)));
    }
    return id;
  }

  /** An id, or null when the text is none. */
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
