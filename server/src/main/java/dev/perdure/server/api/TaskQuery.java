// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.task.EndReason;
import dev.perdure.engine.task.Hold;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.NearestName;
import dev.perdure.policy.Problem;
import dev.perdure.policy.Problems;
import dev.perdure.policy.json.Value;
import dev.perdure.server.http.Query;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** What a list is asked for. */
record TaskQuery(TaskFilter filter, PageQuery page) {

  /** What tasks can be told apart by. */
  static final List<String> FILTERS =
      List.of(
          "status",
          "kind",
          "name",
          "batch_id",
          "failure_kind",
          "give_up_reason",
          "created_after",
          "created_before");

  private static final List<String> KNOWN =
      Stream.concat(FILTERS.stream(), PageQuery.NAMES.stream()).toList();

  private static final List<String> STATUSES =
      Stream.concat(
              Stream.of(TaskState.values()).map(StatusNames::of), Stream.of(StatusNames.PAUSED))
          .toList();

  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  /** Throws InvalidPolicyException with all problems. */
  static TaskQuery of(Query query, TaskLimits limits) {
    Problems problems = new Problems();
    refuseUnknown(query, KNOWN, problems);
    TaskFilter filter = filter(query, problems);
    TaskQuery read = new TaskQuery(filter, PageQuery.of(query, problems, limits));
    problems.throwIfAny();
    return read;
  }

  /** The filter alone; throws InvalidPolicyException with all problems. */
  static TaskFilter filter(Query query) {
    Problems problems = new Problems();
    TaskFilter filter = filter(query, problems);
    problems.throwIfAny();
    return filter;
  }

  static void refuseUnknown(Query query, List<String> known, Problems problems) {
    query.names().stream()
        .filter(name -> !known.contains(name))
        .forEach(
            name ->
                problems.add(
                    Problem.quotable(name),
                    "unknown parameter%s (%s)"
                        .formatted(NearestName.hint(name, known), String.join(", ", known))));
  }

  private static TaskFilter filter(Query query, Problems problems) {
    Reader reader = new Reader(query, problems);
    Set<String> statuses = reader.statuses();
    return new TaskFilter(
        states(statuses),
        statuses.contains(StatusNames.PAUSED) ? Hold.PAUSED : 0,
        query.value("kind").orElse(null),
        query.value("name").orElse(null),
        reader.id("batch_id"),
        query.value("failure_kind").orElse(null),
        reader.reason(),
        null,
        reader.instant("created_after"),
        reader.instant("created_before"),
        null);
  }

  private static Set<TaskState> states(Set<String> names) {
    Set<TaskState> states = EnumSet.noneOf(TaskState.class);
    names.forEach(name -> StatusNames.parse(name).ifPresent(states::add));
    return states;
  }

  /** An id, or null when the text is none. */
  static @Nullable UUID uuid(String text) {
    return UUID_TEXT.matcher(text).matches() ? UUID.fromString(text) : null;
  }

  private record Reader(Query query, Problems problems) {

    Set<String> statuses() {
      Set<String> found = new TreeSet<>();
      for (String word :
          query.value("status").map(text -> text.split(",", -1)).orElse(new String[0])) {
        STATUSES.stream()
            .filter(known -> known.equalsIgnoreCase(word.strip()))
            .findFirst()
            .ifPresentOrElse(found::add, () -> unknown("status", word, STATUSES));
      }
      if (found.contains(StatusNames.PAUSED) && found.size() > 1) {
        problems.add("status", "Paused cannot be asked for together with others");
      }
      return found;
    }

    @Nullable EndReason reason() {
      String word = query.value("give_up_reason").orElse(null);
      EndReason reason = word == null ? null : EndReason.of(word).orElse(null);
      if (word != null && reason == null) {
        unknown(
            "give_up_reason", word, Stream.of(EndReason.values()).map(EndReason::text).toList());
      }
      return reason;
    }

    private void unknown(String name, String word, List<String> known) {
      problems.add(
          name,
          "unknown %s '%s'%s (%s)"
              .formatted(
                  name,
                  Problem.quotable(word),
                  NearestName.hint(word, known),
                  String.join(", ", known)));
    }

    @Nullable UUID id(String name) {
      String text = query.value(name).orElse(null);
      UUID id = text == null ? null : uuid(text);
      if (text != null && id == null) {
        problems.add(name, "'%s' is not an id".formatted(Problem.quotable(text)));
      }
      return id;
    }

    @Nullable Instant instant(String name) {
      return query
          .value(name)
          .map(text -> new Value(name, JsonNodeFactory.instance.stringNode(text), problems))
          .map(Value::instant)
          .orElse(null);
    }
  }
}
