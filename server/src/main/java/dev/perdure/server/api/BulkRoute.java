// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.BulkAction;
import dev.perdure.engine.Engine;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.task.StoreException;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.QueryParameters;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
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
  static final int MAX_TASKS = 10_000;

  /** Those that are changed are read whole, each with up to megabytes. */
  private static final int PAGE_SIZE = 50;

  private static final int MAX_STATUSES = 20;
  private static final String EMPTY = "must not be empty: say which, or leave it out";
  private static final List<String> ACTIONS =
      Stream.of(BulkAction.values()).map(BulkAction::text).toList();

  private final Engine engine;

  BulkRoute(Engine engine) {
    this.engine = engine;
  }

  private record BulkRequest(
      BulkAction action,
      TaskFilter filter,
      JsonNode filterJson,
      boolean dryRun,
      @Nullable String after) {}

  /** How far it came. */
  private static final class BulkProgress {
    private @Nullable String after;
    private long matched;
    private long changed;
    private boolean started;

    BulkProgress(@Nullable String after) {
      this.after = after;
    }
  }

  Response handle(Request request) {
    BulkRequest bulk = readRequest(request);
    BulkProgress progress = new BulkProgress(bulk.after());
    try {
      do {
        processPage(bulk, progress);
      } while (progress.after != null && progress.matched < MAX_TASKS);
    } catch (RuntimeException trouble) {
      throw progress.started ? interrupted(request, bulk, progress, trouble) : trouble;
    }
    ObjectNode counts = counts(bulk, progress);
    if (!bulk.dryRun()) {
      request.audit(new AuditEntry("bulk", null, auditDetail(bulk, counts)));
    }
    return Response.ok(counts);
  }

  private void processPage(BulkRequest bulk, BulkProgress progress) {
    TaskPage page = engine.tasks().list(bulk.filter(), new PageRequest(PAGE_SIZE, progress.after));
    if (bulk.dryRun()) {
      progress.changed += page.tasks().stream().filter(bulk.action()::appliesTo).count();
    } else {
      progress.started = true;
      progress.changed += engine.bulk(bulk.action(), page.tasks());
    }
    progress.matched += page.tasks().size();
    progress.after = page.nextCursor();
  }

  private static ObjectNode counts(BulkRequest bulk, BulkProgress progress) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("action", bulk.action().text())
        .put("dry_run", bulk.dryRun())
        .put("matched", progress.matched)
        .put("changed", progress.changed)
        .put("skipped", progress.matched - progress.changed)
        .put("next", progress.after);
  }

  /** With the filter as it was given, unless that is too long for anybody to read. */
  private static ObjectNode auditDetail(BulkRequest bulk, ObjectNode counts) {
    String text = bulk.filterJson().toString();
    String brief = AuditedActions.truncate(text);
    JsonNode filter =
        brief.equals(text) ? bulk.filterJson() : JsonNodeFactory.instance.stringNode(brief);
    ObjectNode told = counts.deepCopy();
    told.set("filter", filter);
    return told;
  }

  /** Some is done, and the step that broke may be half done: nobody shall repeat it blindly. */
  private static RuntimeException interrupted(
      Request request, BulkRequest bulk, BulkProgress progress, RuntimeException trouble) {
    ObjectNode counts = counts(bulk, progress).put("broken_off", true);
    request.audit(new AuditEntry("bulk", null, auditDetail(bulk, counts)));
    if (!(trouble instanceof StoreException)) {
      return trouble;
    }
    String place =
        progress.after == null ? "" : " with \"after\": \"%s\"".formatted(progress.after);
    return HttpProblemException.of(
        HttpStatus.SERVICE_UNAVAILABLE,
        "the store went away when %d tasks were changed; some of the next %d may be too: send it again%s to go on"
            .formatted(progress.changed, PAGE_SIZE, place));
  }

  private static BulkRequest readRequest(Request request) {
    BodyReader body = BodyReader.of(request);
    JsonValueReader action = body.required("action");
    String word = action == null ? null : action.oneOf("action", ACTIONS);
    JsonValueReader said = body.required("filter");
    TaskFilter filter = filter(said);
    boolean dryRun = body.bool("dry_run", false);
    String after = after(body.given("after"));
    body.requireValid();
    return new BulkRequest(
        action(word), filter, Objects.requireNonNull(said).json(), dryRun, after);
  }

  private static BulkAction action(@Nullable String word) {
    return Stream.of(BulkAction.values())
        .filter(action -> action.text().equals(word))
        .findFirst()
        .orElseThrow();
  }

  private static @Nullable String after(@Nullable JsonValueReader value) {
    String text = value == null ? null : value.text();
    UUID id = text == null ? null : QueryReader.parseUuid(text);
    if (value != null && text != null && id == null) {
      value.addError("must be the 'next' of an answer");
    }
    return id == null ? null : id.toString();
  }

  /**
   * The same names as in a list's query. What means everything is refused: it would be a slip, as
   * is a value that says nothing.
   */
  private static TaskFilter filter(@Nullable JsonValueReader value) {
    JsonObjectReader fields = value == null ? null : value.object();
    if (value == null || fields == null) {
      return TaskFilter.all();
    }
    FieldErrors errors = value.errors();
    int before = errors.count();
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : TaskQuery.FILTERS) {
      JsonValueReader given = fields.optional(name);
      String text = given == null ? null : text(name, given);
      if (text != null) {
        texts.put(name, text);
      }
    }
    fields.rejectUnknown();
    TaskFilter read =
        errors.collect(value.path(), () -> TaskQuery.filter(QueryParameters.of(texts)));
    TaskFilter filter = read == null ? TaskFilter.all() : read;
    if (filter.equals(TaskFilter.all()) && errors.count() == before) {
      value.addError("is required: name at least one of " + String.join(", ", TaskQuery.FILTERS));
    }
    return filter;
  }

  /** Metadata may come as the object it is, and only statuses may be several; null: not right. */
  private static @Nullable String text(String name, JsonValueReader value) {
    if (name.equals("metadata") && value.json().isObject()) {
      return value.json().toString();
    }
    if (!value.json().isArray() || !name.equals("status")) {
      return text(value);
    }
    if (value.json().isEmpty()) {
      value.addError(EMPTY);
    }
    List<JsonValueReader> items = value.array(MAX_STATUSES);
    return items == null
        ? null
        : items.stream()
            .map(BulkRoute::text)
            .filter(Objects::nonNull)
            .collect(Collectors.joining(","));
  }

  private static @Nullable String text(JsonValueReader value) {
    String text = value.isNull() ? "" : value.text();
    if (text != null && text.isBlank()) {
      value.addError(EMPTY);
      return null;
    }
    return text;
  }
}
