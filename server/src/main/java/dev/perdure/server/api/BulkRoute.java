// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.BulkAction;
import dev.perdure.engine.Engine;
import dev.perdure.engine.spi.PageRequest;
import dev.perdure.engine.spi.StoreException;
import dev.perdure.engine.spi.TaskFilter;
import dev.perdure.engine.spi.TaskPage;
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
    BulkRequest bulkRequest = readRequest(request);
    BulkProgress bulkProgress = new BulkProgress(bulkRequest.after());
    try {
      do {
        processPage(bulkRequest, bulkProgress);
      } while (bulkProgress.after != null && bulkProgress.matched < MAX_TASKS);
    } catch (RuntimeException trouble) {
      throw bulkProgress.started
          ? interrupted(request, bulkRequest, bulkProgress, trouble)
          : trouble;
    }
    ObjectNode counts = counts(bulkRequest, bulkProgress);
    if (!bulkRequest.dryRun()) {
      request.audit(new AuditEntry("bulk", null, auditDetail(bulkRequest, counts)));
    }
    return Response.ok(counts);
  }

  private void processPage(BulkRequest bulkRequest, BulkProgress bulkProgress) {
    TaskPage taskPage =
        engine.tasks().list(bulkRequest.filter(), new PageRequest(PAGE_SIZE, bulkProgress.after));
    if (bulkRequest.dryRun()) {
      bulkProgress.changed +=
          taskPage.tasks().stream().filter(bulkRequest.action()::appliesTo).count();
    } else {
      bulkProgress.started = true;
      bulkProgress.changed += engine.bulk(bulkRequest.action(), taskPage.tasks());
    }
    bulkProgress.matched += taskPage.tasks().size();
    bulkProgress.after = taskPage.nextCursor();
  }

  private static ObjectNode counts(BulkRequest bulkRequest, BulkProgress bulkProgress) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("action", bulkRequest.action().text())
        .put("dry_run", bulkRequest.dryRun())
        .put("matched", bulkProgress.matched)
        .put("changed", bulkProgress.changed)
        .put("skipped", bulkProgress.matched - bulkProgress.changed)
        .put("next", bulkProgress.after);
  }

  /** With the filter as it was given, unless that is too long for anybody to read. */
  private static ObjectNode auditDetail(BulkRequest bulkRequest, ObjectNode counts) {
    String text = bulkRequest.filterJson().toString();
    String brief = AuditedActions.truncate(text);
    JsonNode filter =
        brief.equals(text) ? bulkRequest.filterJson() : JsonNodeFactory.instance.stringNode(brief);
    ObjectNode told = counts.deepCopy();
    told.set("filter", filter);
    return told;
  }

  /** Some is done, and the step that broke may be half done: nobody shall repeat it blindly. */
  private static RuntimeException interrupted(
      Request request,
      BulkRequest bulkRequest,
      BulkProgress bulkProgress,
      RuntimeException trouble) {
    ObjectNode counts = counts(bulkRequest, bulkProgress).put("interrupted", true);
    request.audit(new AuditEntry("bulk", null, auditDetail(bulkRequest, counts)));
    if (!(trouble instanceof StoreException)) {
      return trouble;
    }
    String place =
        bulkProgress.after == null ? "" : " with \"after\": \"%s\"".formatted(bulkProgress.after);
    return HttpProblemException.of(
        HttpStatus.SERVICE_UNAVAILABLE,
        "the store went away when %d tasks were changed; some of the next %d may be too: send it again%s to go on"
            .formatted(bulkProgress.changed, PAGE_SIZE, place));
  }

  private static BulkRequest readRequest(Request request) {
    BodyReader bodyReader = BodyReader.of(request);
    JsonValueReader action = bodyReader.required("action");
    String word = action == null ? null : action.oneOf("action", ACTIONS);
    JsonValueReader said = bodyReader.required("filter");
    TaskFilter filter = filter(said);
    boolean dryRun = bodyReader.bool("dry_run", false);
    String after = after(bodyReader.given("after"));
    bodyReader.requireValid();
    return new BulkRequest(
        action(word), filter, Objects.requireNonNull(said).json(), dryRun, after);
  }

  private static BulkAction action(@Nullable String word) {
    return Stream.of(BulkAction.values())
        .filter(action -> action.text().equals(word))
        .findFirst()
        .orElseThrow();
  }

  private static @Nullable String after(@Nullable JsonValueReader jsonValueReader) {
    String text = jsonValueReader == null ? null : jsonValueReader.text();
    UUID id = text == null ? null : QueryReader.parseUuid(text);
    if (jsonValueReader != null && text != null && id == null) {
      jsonValueReader.addError("must be the 'next' of an answer");
    }
    return id == null ? null : id.toString();
  }

  /**
   * The same names as in a list's query. What means everything is refused: it would be a slip, as
   * is a value that says nothing.
   */
  private static TaskFilter filter(@Nullable JsonValueReader jsonValueReader) {
    JsonObjectReader jsonObjectReader = jsonValueReader == null ? null : jsonValueReader.object();
    if (jsonValueReader == null || jsonObjectReader == null) {
      return TaskFilter.all();
    }
    FieldErrors fieldErrors = jsonValueReader.errors();
    int before = fieldErrors.count();
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : TaskQuery.FILTERS) {
      JsonValueReader given = jsonObjectReader.optional(name);
      String text = given == null ? null : text(name, given);
      if (text != null) {
        texts.put(name, text);
      }
    }
    jsonObjectReader.rejectUnknown();
    TaskFilter read =
        fieldErrors.collect(
            jsonValueReader.path(), () -> TaskQuery.filter(QueryParameters.of(texts)));
    TaskFilter filter = read == null ? TaskFilter.all() : read;
    if (filter.equals(TaskFilter.all()) && fieldErrors.count() == before) {
      jsonValueReader.addError(
          "is required: name at least one of " + String.join(", ", TaskQuery.FILTERS));
    }
    return filter;
  }

  /** Metadata may come as the object it is, and only statuses may be several; null: not right. */
  private static @Nullable String text(String name, JsonValueReader jsonValueReader) {
    if (name.equals("metadata") && jsonValueReader.json().isObject()) {
      return jsonValueReader.json().toString();
    }
    if (!jsonValueReader.json().isArray() || !name.equals("status")) {
      return text(jsonValueReader);
    }
    if (jsonValueReader.json().isEmpty()) {
      jsonValueReader.addError(EMPTY);
    }
    List<JsonValueReader> items = jsonValueReader.array(MAX_STATUSES);
    return items == null
        ? null
        : items.stream()
            .map(BulkRoute::text)
            .filter(Objects::nonNull)
            .collect(Collectors.joining(","));
  }

  private static @Nullable String text(JsonValueReader jsonValueReader) {
    String text = jsonValueReader.isNull() ? "" : jsonValueReader.text();
    if (text != null && text.isBlank()) {
      jsonValueReader.addError(EMPTY);
      return null;
    }
    return text;
  }
}
