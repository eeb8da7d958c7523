// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.BulkCommand;
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

/** Applies one action to all tasks that match a filter, page by page. */
final class BulkRoute {

  /**
   * Tasks that one request processes at most; {@code next} in the response continues from there.
   */
  static final int MAX_TASKS = 10_000;

  /** Small, because each task is read with its payload, which may have megabytes. */
  private static final int PAGE_SIZE = 50;

  private static final int MAX_STATUSES = 20;
  private static final String EMPTY = "must not be empty: give a value or leave it out";
  private static final List<String> ACTIONS =
      Stream.of(BulkCommand.values()).map(BulkCommand::text).toList();

  private final Engine engine;

  BulkRoute(Engine engine) {
    this.engine = engine;
  }

  private record BulkRequest(
      BulkCommand action,
      TaskFilter filter,
      JsonNode filterJson,
      boolean dryRun,
      @Nullable String after) {}

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
    } catch (RuntimeException e) {
      throw progress.started ? interrupted(request, bulk, progress, e) : e;
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
      progress.changed += engine.bulkDryRun(bulk.action(), page.tasks());
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

  /** The counts and the filter. A filter that is too long is recorded as truncated text. */
  private static ObjectNode auditDetail(BulkRequest bulk, ObjectNode counts) {
    String text = bulk.filterJson().toString();
    String truncated = AuditedCommands.truncate(text);
    JsonNode filter =
        truncated.equals(text) ? bulk.filterJson() : JsonNodeFactory.instance.stringNode(truncated);
    ObjectNode detail = counts.deepCopy();
    detail.set("filter", filter);
    return detail;
  }

  /**
   * Records a bulk action that stopped halfway, and returns the exception to throw. Some tasks are
   * changed, and the last page may be half done, so the response says where to continue.
   */
  private static RuntimeException interrupted(
      Request request, BulkRequest bulk, BulkProgress progress, RuntimeException cause) {
    ObjectNode counts = counts(bulk, progress).put("interrupted", true);
    request.audit(new AuditEntry("bulk", null, auditDetail(bulk, counts)));
    if (!(cause instanceof StoreException)) {
      return cause;
    }
    String resume =
        progress.after == null ? "" : " with \"after\": \"%s\"".formatted(progress.after);
    return HttpProblemException.of(
        HttpStatus.SERVICE_UNAVAILABLE,
        "the database became unreachable after %d tasks were changed, and some of the next %d may be changed too: to continue, send the request again%s"
            .formatted(progress.changed, PAGE_SIZE, resume));
  }

  private static BulkRequest readRequest(Request request) {
    BodyReader body = BodyReader.of(request);
    JsonValueReader action = body.required("action");
    String word = action == null ? null : action.oneOf("action", ACTIONS);
    JsonValueReader said = body.required("filter");
    TaskFilter filter = filter(said);
    boolean dryRun = body.bool("dry_run", false);
    String after = after(body.optional("after"));
    body.requireValid();
    return new BulkRequest(
        action(word), filter, Objects.requireNonNull(said).json(), dryRun, after);
  }

  private static BulkCommand action(@Nullable String word) {
    return Stream.of(BulkCommand.values())
        .filter(action -> action.text().equals(word))
        .findFirst()
        .orElseThrow();
  }

  private static @Nullable String after(@Nullable JsonValueReader value) {
    String text = value == null ? null : value.text();
    UUID id = text == null ? null : QueryReader.parseUuid(text);
    if (value != null && text != null && id == null) {
      value.addError("must be the 'next' value of an earlier response");
    }
    return id == null ? null : id.toString();
  }

  /**
   * Reads a filter with the same names as the query of {@code GET /task}. A kind is always exact,
   * because a part of a kind could change more tasks than the caller expects. A filter that matches
   * every task is refused, and so is an empty value: both are most likely mistakes.
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
        boolean makeExact = name.equals("kind") && !text.startsWith(TaskQuery.EXACT);
        texts.put(name, makeExact ? TaskQuery.EXACT + text : text);
      }
    }
    fields.rejectUnknown();
    TaskFilter read =
        errors.collect(value.path(), () -> TaskQuery.filter(QueryParameters.of(texts)));
    TaskFilter filter = read == null ? TaskFilter.all() : read;
    if (filter.equals(TaskFilter.all()) && errors.count() == before) {
      value.addError("must have at least one of " + String.join(", ", TaskQuery.FILTERS));
    }
    return filter;
  }

  /**
   * The value as a query parameter would spell it; null when it is wrong. Metadata may be a JSON
   * object, and {@code status} may be an array.
   */
  private static @Nullable String text(String name, JsonValueReader value) {
    if (name.equals("metadata") && value.json().isObject()) {
      return value.json().toString();
    }
    if (name.equals("timeout") && value.json().isIntegralNumber()) {
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
