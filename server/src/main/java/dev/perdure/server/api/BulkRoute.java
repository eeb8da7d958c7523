// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.BulkCommand;
import dev.perdure.engine.Engine;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.RetryWave;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.InstantText;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.QueryParameters;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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

  /** One request looks at about this many tasks at most, whether they match or not. */
  private static final int MAX_LOOK = 50_000;

  private static final Duration MIN_SPREAD = Duration.ofSeconds(1);
  private static final Duration MAX_SPREAD = Duration.ofDays(14);
  private static final int MAX_STATUSES = 20;
  private static final Set<String> NUMBERS = Set.of("timeout", "attempt_min");
  private static final Set<String> ARRAYS = Set.of("status", "kind");
  private static final String EMPTY = "must not be empty: give a value or leave it out";
  private static final List<String> ACTIONS =
      Stream.of(BulkCommand.values()).map(BulkCommand::text).toList();

  private final Engine engine;

  BulkRoute(Engine engine) {
    this.engine = engine;
  }

  /**
   * @param spread where a spread begins or continues; null without one
   */
  private record BulkRequest(
      BulkCommand action,
      TaskFilter filter,
      JsonNode filterJson,
      boolean dryRun,
      @Nullable Duration spread,
      @Nullable String after) {}

  private static final class BulkProgress {
    private @Nullable String after;
    private long matched;
    private long changed;
    private long lookedAt;
    private boolean started;
    private @Nullable Instant reached;
    private @Nullable BulkSpread spread;
    private @Nullable BulkPreview preview;

    BulkProgress(@Nullable String after) {
      this.after = after;
    }
  }

  Response handle(Request request) {
    BulkRequest bulk = readRequest(request);
    BulkProgress progress = begin(bulk);
    try {
      do {
        processPage(bulk, progress);
      } while (progress.after != null
          && progress.matched < MAX_TASKS
          && progress.lookedAt < MAX_LOOK);
    } catch (RuntimeException e) {
      throw progress.started ? interrupted(request, bulk, progress, e) : e;
    }
    ObjectNode counts = counts(bulk, progress);
    if (!bulk.dryRun()) {
      request.audit(new AuditEntry("bulk", null, auditDetail(bulk, counts)));
    } else if (progress.preview != null) {
      progress.preview.writeTo(counts);
    }
    return Response.ok(counts);
  }

  private BulkProgress begin(BulkRequest bulk) {
    BulkProgress progress = new BulkProgress(bulk.after());
    Duration length = bulk.spread();
    boolean retries = bulk.action() == BulkCommand.RETRY;
    RetryWave wave =
        retries && (bulk.dryRun() || length != null)
            ? engine.tasks().retryWave(RetryWaveQuery.of(BulkPreview.window(length)))
            : null;
    if (bulk.dryRun()) {
      progress.preview = new BulkPreview(wave);
    }
    if (length != null && wave != null) {
      progress.spread =
          bulk.after() == null
              ? BulkSpread.begin(
                  length, SpreadCount.of(engine.tasks()).count(bulk.filter()), wave.now())
              : BulkSpread.parse(length, bulk.after());
    }
    return progress;
  }

  private void processPage(BulkRequest bulk, BulkProgress progress) {
    BulkSpread spread = progress.spread;
    if (spread != null && !spread.ended() && !spread.concerns(bulk.filter())) {
      spread = spread.endedTasks();
    }
    TaskPage page =
        spread == null
            ? engine.tasks().list(bulk.filter(), new PageRequest(PAGE_SIZE, progress.after))
            : engine
                .tasks()
                .list(
                    bulk.filter().withStates(spread.states()),
                    spread.sort(bulk.filter()),
                    new PageRequest(PAGE_SIZE, spread.after()));
    List<TaskRow> tasks = rows(page, spread);
    List<TaskRow> applicable = engine.bulkDryRun(bulk.action(), tasks);
    Map<UUID, Instant> retryAt = spread == null ? Map.of() : times(applicable, spread);
    if (progress.preview != null) {
      preview(progress.preview, tasks, applicable, retryAt);
      progress.changed += applicable.size();
    } else {
      progress.started = true;
      progress.changed += engine.bulk(bulk.action(), applicable, retryAt);
    }
    progress.matched += tasks.size();
    progress.lookedAt += page.lookedAt() == null ? page.tasks().size() : page.lookedAt();
    progress.reached = page.reached();
    progress.after = page.nextCursor();
    if (spread != null) {
      advance(progress, spread, applicable.size(), page.nextCursor());
    }
  }

  private static void advance(
      BulkProgress progress, BulkSpread spread, int tasks, @Nullable String next) {
    BulkSpread advanced = spread.advanced(tasks, next);
    if (next == null && !spread.ended()) {
      advanced = advanced.endedTasks();
    }
    progress.spread = advanced;
    progress.after = next == null && spread.ended() ? null : advanced.toString();
  }

  private static List<TaskRow> rows(TaskPage page, @Nullable BulkSpread spread) {
    return spread == null
        ? page.tasks()
        : page.tasks().stream().filter(task -> !spread.isMoved(task)).toList();
  }

  private static Map<UUID, Instant> times(List<TaskRow> applicable, BulkSpread spread) {
    Map<UUID, Instant> times = new HashMap<>();
    for (TaskRow task : applicable) {
      times.put(task.id(), spread.at(times.size()));
    }
    return times;
  }

  private static void preview(
      BulkPreview preview,
      List<TaskRow> tasks,
      List<TaskRow> applicable,
      Map<UUID, Instant> retryAt) {
    tasks.forEach(preview::matched);
    applicable.forEach(task -> preview.moved(task, retryAt.getOrDefault(task.id(), Instant.EPOCH)));
  }

  private static ObjectNode counts(BulkRequest bulk, BulkProgress progress) {
    boolean stopped = progress.after != null && progress.reached != null;
    return JsonNodeFactory.instance
        .objectNode()
        .put("action", bulk.action().text())
        .put("dry_run", bulk.dryRun())
        .put("matched", progress.matched)
        .put("changed", progress.changed)
        .put("skipped", progress.matched - progress.changed)
        .put("reached", stopped ? InstantText.of(progress.reached) : null)
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
    Duration spread = spread(body.optional("spread"), word);
    String after = after(body.optional("after"), spread);
    body.requireValid();
    return new BulkRequest(
        action(word), filter, Objects.requireNonNull(said).json(), dryRun, spread, after);
  }

  private static BulkCommand action(@Nullable String word) {
    return Stream.of(BulkCommand.values())
        .filter(action -> action.text().equals(word))
        .findFirst()
        .orElseThrow();
  }

  private static @Nullable Duration spread(@Nullable JsonValueReader value, @Nullable String word) {
    Duration length = value == null ? null : value.duration();
    if (value != null && !BulkCommand.RETRY.text().equals(word)) {
      value.addError("only retries can be spread: leave it out, or use the action retry");
    }
    if (value != null
        && length != null
        && (length.compareTo(MIN_SPREAD) < 0 || length.compareTo(MAX_SPREAD) > 0)) {
      value.addError("must be from 1s to %dd".formatted(MAX_SPREAD.toDays()));
    }
    return length;
  }

  private static @Nullable String after(
      @Nullable JsonValueReader value, @Nullable Duration spread) {
    String text = value == null ? null : value.text();
    if (value == null || text == null) {
      return null;
    }
    boolean valid =
        spread == null
            ? QueryReader.parseUuid(text) != null
            : BulkSpread.parse(spread, text) != null;
    if (!valid) {
      value.addError("must be the 'next' value of an earlier response to the same request");
      return null;
    }
    return spread == null ? String.valueOf(QueryReader.parseUuid(text)) : text;
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
   * object, and {@code status} and {@code kind} may be arrays.
   */
  private static @Nullable String text(String name, JsonValueReader value) {
    if (name.equals("metadata") && value.json().isObject()) {
      return value.json().toString();
    }
    if (NUMBERS.contains(name) && value.json().isIntegralNumber()) {
      return value.json().toString();
    }
    if (name.equals("parked") && value.json().isBoolean()) {
      return value.json().toString();
    }
    if (!value.json().isArray() || !ARRAYS.contains(name)) {
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
