// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.BulkAction;
import dev.perdure.engine.Engine;
import dev.perdure.engine.store.Page;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.TaskFilter;
import dev.perdure.policy.Problems;
import dev.perdure.policy.json.Fields;
import dev.perdure.policy.json.Value;
import dev.perdure.server.http.Deed;
import dev.perdure.server.http.Query;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Does one thing to all tasks that a filter means, step by step. */
final class BulkRoute {

  /** The most tasks of one request; the answer tells where the next one goes on. */
  static final int MOST_TASKS = 10_000;

  private static final int STEP = 500;
  private static final List<String> ACTIONS =
      Stream.of(BulkAction.values()).map(BulkAction::text).toList();

  private final Engine engine;

  BulkRoute(Engine engine) {
    this.engine = engine;
  }

  private record Asked(
      BulkAction action, TaskFilter filter, boolean dryRun, @Nullable String after) {}

  Response handle(Request request) {
    Asked asked = asked(request);
    String after = asked.after();
    long matched = 0;
    long changed = 0;
    do {
      Page page = engine.tasks().list(asked.filter(), new PageRequest(STEP, after));
      matched += page.tasks().size();
      changed +=
          asked.dryRun()
              ? page.tasks().stream().filter(asked.action()::concerns).count()
              : engine.bulk(asked.action(), page.tasks());
      after = page.next();
    } while (after != null && matched < MOST_TASKS);
    ObjectNode counts =
        JsonNodeFactory.instance
            .objectNode()
            .put("action", asked.action().text())
            .put("dry_run", asked.dryRun())
            .put("matched", matched)
            .put("changed", changed)
            .put("skipped", matched - changed)
            .put("next", after);
    Response response = Response.ok(counts);
    return asked.dryRun() ? response : response.after(new Deed("bulk", null, counts));
  }

  private static Asked asked(Request request) {
    Form form = Form.of(request);
    Value action = form.required("action");
    String word = action == null ? null : action.word("action", ACTIONS);
    TaskFilter filter = filter(form.required("filter"));
    boolean dryRun = form.truth("dry_run", false);
    String after = after(form.given("after"));
    form.requireRight();
    return new Asked(action(word), filter, dryRun, after);
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

  /** The same names as in a list's query. An empty filter would mean everything, by a slip. */
  private static TaskFilter filter(@Nullable Value value) {
    Fields fields = value == null ? null : value.fields();
    if (value == null || fields == null) {
      return TaskFilter.all();
    }
    if (value.json().isEmpty()) {
      value.wrong("is required: name at least one of " + String.join(", ", TaskQuery.FILTERS));
    }
    Problems problems = value.problems();
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : TaskQuery.FILTERS) {
      Value given = fields.given(name);
      String text = given == null ? null : text(name, given);
      if (text != null) {
        texts.put(name, text);
      }
    }
    fields.refuseOthers();
    TaskFilter filter = problems.collect(value.path(), () -> TaskQuery.filter(Query.of(texts)));
    return filter == null ? TaskFilter.all() : filter;
  }

  /** Metadata may come as the object it is. */
  private static @Nullable String text(String name, Value value) {
    return name.equals("metadata") && value.json().isObject()
        ? value.json().toString()
        : text(value);
  }

  /** Several statuses may come as an array. */
  private static @Nullable String text(Value value) {
    if (!value.json().isArray()) {
      return value.text();
    }
    List<Value> items = value.items(TaskQuery.FILTERS.size() + 1);
    return items == null
        ? null
        : items.stream().map(Value::text).map(String::valueOf).collect(Collectors.joining(","));
  }
}
