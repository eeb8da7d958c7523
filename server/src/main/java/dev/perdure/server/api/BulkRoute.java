// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.BulkAction;
import dev.perdure.engine.Engine;
import dev.perdure.engine.store.Page;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.TaskFilter;
import dev.perdure.policy.Problems;
import dev.perdure.policy.json.Fields;
import dev.perdure.policy.json.Value;
import dev.perdure.server.http.Deed;
import dev.perdure.server.http.Query;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.server.http.Status;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Does one thing to all tasks that a filter means, step by step. */
final class BulkRoute {

  /** The most tasks of one request; the answer tells where the next one goes on. */
  static final int MOST_TASKS = 10_000;

  /** Those that are changed are read whole, each with up to megabytes. */
  private static final int STEP = 50;

  private static final int MOST_STATUSES = 20;
  private static final String EMPTY = "must not be empty: say which, or leave it out";
  private static final List<String> ACTIONS =
      Stream.of(BulkAction.values()).map(BulkAction::text).toList();

  private final Engine engine;

  BulkRoute(Engine engine) {
    this.engine = engine;
  }

  private record Asked(
      BulkAction action,
      TaskFilter filter,
      JsonNode said,
      boolean dryRun,
      @Nullable String after) {}

  /** How far it came. */
  private static final class Course {
    private @Nullable String after;
    private long matched;
    private long changed;
    private boolean begun;

    Course(@Nullable String after) {
      this.after = after;
    }
  }

  Response handle(Request request) {
    Asked asked = asked(request);
    Course course = new Course(asked.after());
    try {
      do {
        step(asked, course);
      } while (course.after != null && course.matched < MOST_TASKS);
    } catch (RuntimeException trouble) {
      throw course.begun ? brokenOff(request, asked, course, trouble) : trouble;
    }
    ObjectNode counts = counts(asked, course);
    if (!asked.dryRun()) {
      request.did(new Deed("bulk", null, told(asked, counts)));
    }
    return Response.ok(counts);
  }

  private void step(Asked asked, Course course) {
    Page page = engine.tasks().list(asked.filter(), new PageRequest(STEP, course.after));
    if (asked.dryRun()) {
      course.changed += page.tasks().stream().filter(asked.action()::concerns).count();
    } else {
      course.begun = true;
      course.changed += engine.bulk(asked.action(), page.tasks());
    }
    course.matched += page.tasks().size();
    course.after = page.next();
  }

  private static ObjectNode counts(Asked asked, Course course) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("action", asked.action().text())
        .put("dry_run", asked.dryRun())
        .put("matched", course.matched)
        .put("changed", course.changed)
        .put("skipped", course.matched - course.changed)
        .put("next", course.after);
  }

  /** With the filter as it was given, unless that is too long for anybody to read. */
  private static ObjectNode told(Asked asked, ObjectNode counts) {
    String text = asked.said().toString();
    String brief = Deeds.brief(text);
    JsonNode filter =
        brief.equals(text) ? asked.said() : JsonNodeFactory.instance.stringNode(brief);
    ObjectNode told = counts.deepCopy();
    told.set("filter", filter);
    return told;
  }

  /** Some is done, and the step that broke may be half done: nobody shall repeat it blindly. */
  private static RuntimeException brokenOff(
      Request request, Asked asked, Course course, RuntimeException trouble) {
    ObjectNode counts = counts(asked, course).put("broken_off", true);
    request.did(new Deed("bulk", null, told(asked, counts)));
    if (!(trouble instanceof StoreException)) {
      return trouble;
    }
    String place = course.after == null ? "" : " with \"after\": \"%s\"".formatted(course.after);
    return RefusedException.of(
        Status.UNAVAILABLE,
        "the store went away when %d tasks were changed; some of the next %d may be too: send it again%s to go on"
            .formatted(course.changed, STEP, place));
  }

  private static Asked asked(Request request) {
    Form form = Form.of(request);
    Value action = form.required("action");
    String word = action == null ? null : action.word("action", ACTIONS);
    Value said = form.required("filter");
    TaskFilter filter = filter(said);
    boolean dryRun = form.truth("dry_run", false);
    String after = after(form.given("after"));
    form.requireRight();
    return new Asked(action(word), filter, Objects.requireNonNull(said).json(), dryRun, after);
  }

  private static BulkAction action(@Nullable String word) {
    return Stream.of(BulkAction.values())
        .filter(action -> action.text().equals(word))
        .findFirst()
        .orElseThrow();
  }

  private static @Nullable String after(@Nullable Value value) {
    String text = value == null ? null : value.text();
    UUID id = text == null ? null : QueryForm.uuid(text);
    if (value != null && text != null && id == null) {
      value.wrong("must be the 'next' of an answer");
    }
    return id == null ? null : id.toString();
  }

  /**
   * The same names as in a list's query. What means everything is refused: it would be a slip, as
   * is a value that says nothing.
   */
  private static TaskFilter filter(@Nullable Value value) {
    Fields fields = value == null ? null : value.fields();
    if (value == null || fields == null) {
      return TaskFilter.all();
    }
    Problems problems = value.problems();
    int before = problems.count();
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : TaskQuery.FILTERS) {
      Value given = fields.optional(name);
      String text = given == null ? null : text(name, given);
      if (text != null) {
        texts.put(name, text);
      }
    }
    fields.refuseOthers();
    TaskFilter read = problems.collect(value.path(), () -> TaskQuery.filter(Query.of(texts)));
    TaskFilter filter = read == null ? TaskFilter.all() : read;
    if (filter.equals(TaskFilter.all()) && problems.count() == before) {
      value.wrong("is required: name at least one of " + String.join(", ", TaskQuery.FILTERS));
    }
    return filter;
  }

  /** Metadata may come as the object it is, and only statuses may be several; null: not right. */
  private static @Nullable String text(String name, Value value) {
    if (name.equals("metadata") && value.json().isObject()) {
      return value.json().toString();
    }
    if (!value.json().isArray() || !name.equals("status")) {
      return text(value);
    }
    if (value.json().isEmpty()) {
      value.wrong(EMPTY);
    }
    List<Value> items = value.items(MOST_STATUSES);
    return items == null
        ? null
        : items.stream()
            .map(BulkRoute::text)
            .filter(Objects::nonNull)
            .collect(Collectors.joining(","));
  }

  private static @Nullable String text(Value value) {
    String text = value.isNull() ? "" : value.text();
    if (text != null && text.isBlank()) {
      value.wrong(EMPTY);
      return null;
    }
    return text;
  }
}
