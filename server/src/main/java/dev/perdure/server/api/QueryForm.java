// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.NearestName;
import dev.perdure.policy.Problem;
import dev.perdure.policy.Problems;
import dev.perdure.policy.json.Value;
import dev.perdure.server.http.Query;
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
 * tells everything that is wrong; {@link #requireRight} then ends it.
 */
final class QueryForm {

  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  private final Query query;
  private final Problems problems = new Problems();

  private QueryForm(Query query) {
    this.query = query;
  }

  /** Notes parameters that are none of these. */
  static QueryForm of(Query query, List<String> known) {
    QueryForm form = new QueryForm(query);
    for (String name : query.names()) {
      if (!known.contains(name)) {
        form.wrong(
            Problem.quotable(name),
            "unknown parameter%s (%s)"
                .formatted(NearestName.hint(name, known), String.join(", ", known)));
      }
    }
    return form;
  }

  /** Goes on only when everything was right; else throws InvalidPolicyException. */
  void requireRight() {
    problems.throwIfAny();
  }

  void wrong(String name, String message) {
    problems.add(name, message);
  }

  /** Null when it is missing or empty, as with the others. */
  @Nullable String text(String name) {
    return query.value(name).orElse(null);
  }

  /** One of these words, in any case. */
  @Nullable String word(String name, List<String> known) {
    String text = text(name);
    return text == null ? null : known(name, text, known);
  }

  /** The known word that the text is, in any case; null, and noted, when it is none. */
  @Nullable String known(String name, String text, List<String> known) {
    for (String word : known) {
      if (word.equalsIgnoreCase(text.strip())) {
        return word;
      }
    }
    wrong(
        name,
        "unknown %s '%s'%s (%s)"
            .formatted(
                name.replace('_', ' '),
                Problem.quotable(text),
                NearestName.hint(text.toLowerCase(Locale.ROOT), known),
                String.join(", ", known)));
    return null;
  }

  long number(String name, long otherwise, long most) {
    String text = text(name);
    if (text == null) {
      return otherwise;
    }
    long number = NUMBER.matcher(text).matches() ? Long.parseLong(text) : 0;
    if (number < 1 || number > most) {
      wrong(
          name,
          "must be a whole number from 1 to %d, not '%s'".formatted(most, Problem.quotable(text)));
      return otherwise;
    }
    return number;
  }

  /** How many are on a page. */
  int size(TaskLimits limits) {
    return (int) number("page_size", limits.usualPage(), limits.mostPage());
  }

  @Nullable UUID id(String name) {
    String text = text(name);
    UUID id = text == null ? null : uuid(text);
    if (text != null && id == null) {
      wrong(name, "'%s' is not an id".formatted(Problem.quotable(text)));
    }
    return id;
  }

  /** An id, or null when the text is none. */
  static @Nullable UUID uuid(String text) {
    return UUID_TEXT.matcher(text).matches() ? UUID.fromString(text) : null;
  }

  @Nullable Instant instant(String name) {
    Value value = value(name);
    return value == null ? null : value.instant();
  }

  @Nullable Duration length(String name) {
    Value value = value(name);
    return value == null ? null : value.delay();
  }

  private @Nullable Value value(String name) {
    String text = text(name);
    return text == null
        ? null
        : new Value(name, JsonNodeFactory.instance.stringNode(text), problems);
  }
}
