// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.store.DeliveryFilter;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.policy.NearestName;
import dev.perdure.policy.Problem;
import dev.perdure.policy.Problems;
import dev.perdure.server.http.Query;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which deliveries are asked for. */
record DeliveryQuery(DeliveryFilter filter, PageRequest page) {

  private static final List<String> KNOWN =
      List.of("state", "task", "trigger", "page_size", "after");
  private static final List<String> STATES =
      Stream.of(DeliveryState.values()).map(DeliveryState::text).toList();

  /** Throws InvalidPolicyException with all problems. */
  static DeliveryQuery of(Query query, TaskLimits limits) {
    Problems problems = new Problems();
    query.names().stream()
        .filter(name -> !KNOWN.contains(name))
        .forEach(name -> unknown(problems, Problem.quotable(name), "parameter", name, KNOWN));
    DeliveryFilter filter =
        new DeliveryFilter(
            state(query, problems),
            id(query, problems, "task"),
            query.value("trigger").orElse(null));
    UUID after = id(query, problems, "after");
    int size = size(query, problems, limits);
    problems.throwIfAny();
    return new DeliveryQuery(
        filter, new PageRequest(size, after == null ? null : after.toString()));
  }

  private static @Nullable DeliveryState state(Query query, Problems problems) {
    String text = query.value("state").orElse(null);
    DeliveryState state = text == null ? null : DeliveryState.of(text).orElse(null);
    if (text != null && state == null) {
      unknown(problems, "state", "state", text, STATES);
    }
    return state;
  }

  private static void unknown(
      Problems problems, String path, String what, String word, List<String> known) {
    problems.add(
        path,
        "unknown %s '%s'%s (%s)"
            .formatted(
                what,
                Problem.quotable(word),
                NearestName.hint(word, known),
                String.join(", ", known)));
  }

  private static @Nullable UUID id(Query query, Problems problems, String name) {
    String text = query.value(name).orElse(null);
    UUID id = text == null ? null : TaskQuery.uuid(text);
    if (text != null && id == null) {
      problems.add(name, "'%s' is not an id".formatted(Problem.quotable(text)));
    }
    return id;
  }

  private static int size(Query query, Problems problems, TaskLimits limits) {
    String text = query.value("page_size").orElse(null);
    int size =
        text == null ? limits.usualPage() : text.matches("\\d{1,6}") ? Integer.parseInt(text) : 0;
    if (size < 1 || size > limits.mostPage()) {
      problems.add(
          "page_size",
          "must be a whole number from 1 to %d, not '%s'"
              .formatted(limits.mostPage(), Problem.quotable(String.valueOf(text))));
      return 1;
    }
    return size;
  }
}
