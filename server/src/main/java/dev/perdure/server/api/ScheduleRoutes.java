// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineSchedules;
import dev.perdure.engine.schedule.ClockChange;
import dev.perdure.engine.schedule.FiringTimes;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.schedule.TriggerJson;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.InstantText;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.api.ScheduleReader.ScheduleRequest;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.server.webhook.StoredSubmission;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Shows, creates, changes, triggers and deletes schedules. A path has the id or the name. */
final class ScheduleRoutes {

  private static final int MAX_PREVIEW = 100;

  /** Each schedule of a list costs several reads. */
  private static final int MAX_PAGE_SIZE = 100;

  /** How far the preview looks for changes of the clock. */
  private static final Duration WARN_AHEAD = Duration.ofDays(366);

  private final Engine engine;
  private final ApiLimits limits;
  private final StoredSubmission storedSubmission;
  private final Supplier<SubmissionReader> submissionReader;
  private final InstantSource clock;
  private final ScheduleJson json;
  private final ScheduleEditor editor;

  ScheduleRoutes(
      Engine engine,
      ApiLimits limits,
      StoredSubmission storedSubmission,
      Supplier<SubmissionReader> submissionReader,
      InstantSource clock) {
    this.engine = engine;
    this.limits = limits;
    this.storedSubmission = storedSubmission;
    this.submissionReader = submissionReader;
    this.clock = clock;
    this.json = new ScheduleJson(engine, clock);
    this.editor = new ScheduleEditor(engine, storedSubmission, this::reader);
  }

  private EngineSchedules schedules() {
    return engine.schedules();
  }

  /** A page of schedules in the order of their names. */
  Response list(Request request) {
    QueryReader query = QueryReader.of(request.query(), List.of("page_size", "after"));
    int pageSize = query.pageSize(limits, MAX_PAGE_SIZE);
    String after = query.text("after");
    query.requireValid();
    List<Schedule> found = schedules().list(after == null ? "" : beforeNul(after), pageSize + 1);
    List<Schedule> page = found.subList(0, Math.min(found.size(), pageSize));
    ArrayNode rows = JsonNodeFactory.instance.arrayNode();
    page.forEach(schedule -> rows.add(json.row(schedule)));
    Response response = Response.ok(rows);
    return found.size() > page.size()
        ? response.withHeader("Link", LinkHeader.next(request, page.getLast().name()))
        : response;
  }

  /** No name has a NUL character, and it sorts before all others: the rest changes nothing. */
  private static String beforeNul(String name) {
    int nul = name.indexOf('\0');
    return nul < 0 ? name : name.substring(0, nul);
  }

  Response show(Request request) {
    return Response.ok(json.of(find(request)));
  }

  Response create(Request request) {
    ScheduleRequest wanted = reader().read(request.json(), null);
    Schedule created =
        change(
            request,
            entry("create schedule", wanted.name(), wanted.trigger()),
            () ->
                schedules()
                    .create(wanted.name(), wanted.trigger(), wanted.batch(), wanted.options()));
    return Response.json(HttpStatus.CREATED, json.stored(created));
  }

  /** Replaces a schedule except for its name. */
  Response replace(Request request) {
    return Response.ok(json.stored(editor.replace(request, () -> find(request))));
  }

  /** Changes the given fields. */
  Response patch(Request request) {
    return Response.ok(json.stored(editor.patch(request, () -> find(request))));
  }

  /** Deletes a schedule and cancels what is live. */
  Response delete(Request request) {
    Schedule before = find(request);
    ObjectNode shown = json.row(before);
    int canceled =
        change(
            request,
            entry("delete schedule", before.name(), before.trigger()),
            () -> schedules().delete(before.id()));
    return Response.ok(shown.put("canceled", canceled));
  }

  /** Fires now. */
  Response trigger(Request request) {
    Schedule schedule = find(request);
    UUID batch =
        change(
            request,
            AuditEntry.of("trigger schedule", schedule.name()),
            () -> schedules().trigger(schedule.id()));
    return Response.json(
        HttpStatus.CREATED,
        JsonNodeFactory.instance
            .objectNode()
            .put("batch_id", batch.toString())
            .put("task", json.onlyTask(batch).map(UUID::toString).orElse(null)));
  }

  /** Cancels the retries under way, or one of them. The schedule goes on. */
  Response cancelRetries(Request request) {
    QueryReader query = QueryReader.of(request.query(), List.of("task"));
    String text = query.text("task");
    UUID task = text == null ? null : QueryReader.parseUuid(text);
    query.requireValid();
    if (text != null && task == null) {
      FieldErrors errors = new FieldErrors();
      errors.add("task", "'%s' is not a task id".formatted(FieldError.sanitize(text)));
      errors.throwIfAny();
    }
    Schedule schedule = find(request);
    int canceled =
        change(
            request,
            AuditEntry.of("cancel retries", schedule.name()),
            () -> schedules().cancelRetries(schedule.id(), task));
    return Response.ok(JsonNodeFactory.instance.objectNode().put("canceled", canceled));
  }

  /** What a trigger means, without storing anything. */
  Response preview(Request request) {
    BodyReader body = BodyReader.of(request);
    JsonValueReader given = body.required("trigger");
    Trigger trigger = given == null ? null : TriggerJson.read(given);
    int count = body.integer("count", 10, 1, MAX_PREVIEW);
    body.requireValid();
    Instant now = clock.instant();
    Trigger read = Objects.requireNonNull(trigger);
    FiringTimes times = read.firingTimes(now);
    ObjectNode shown = JsonNodeFactory.instance.objectNode().put("words", read.describe());
    ArrayNode next = shown.putArray("next");
    times.next(now, count).forEach(at -> next.add(InstantText.of(at)));
    ArrayNode warnings = shown.putArray("warnings");
    for (ClockChange one : times.clockChanges(now, now.plus(WARN_AHEAD))) {
      warnings
          .addObject()
          .put("at", one.time().toLocalDate().toString())
          .put("text", one.describe());
    }
    return Response.ok(shown);
  }

  private ScheduleReader reader() {
    return new ScheduleReader(engine, storedSubmission, submissionReader);
  }

  private static AuditEntry entry(String action, String name, Trigger trigger) {
    ObjectNode detail = JsonNodeFactory.instance.objectNode();
    detail.set("trigger", TriggerJson.write(trigger));
    return new AuditEntry(action, name, detail);
  }

  /** Runs a change. What the state of the schedule forbids is a conflict. */
  private static <T> T change(Request request, AuditEntry entry, Supplier<T> change) {
    try {
      return AuditedCommands.runAndRecord(request, entry, change);
    } catch (IllegalStateException e) {
      throw HttpProblemException.conflict(String.valueOf(e.getMessage()));
    } catch (NoSuchElementException e) {
      throw HttpProblemException.notFound(String.valueOf(e.getMessage()));
    }
  }

  private Schedule find(Request request) {
    String text = request.pathVariable("id");
    UUID id = QueryReader.parseUuid(text);
    Optional<Schedule> byId = id == null ? Optional.empty() : schedules().find(id);
    return byId.or(() -> schedules().findByName(text))
        .orElseThrow(
            () ->
                HttpProblemException.notFound(
                    "there is no schedule '%s'".formatted(FieldError.sanitize(text))));
  }
}
