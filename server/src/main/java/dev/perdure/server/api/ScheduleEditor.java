// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Batch;
import dev.perdure.engine.Engine;
import dev.perdure.engine.ScheduleOptions;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.schedule.TriggerJson;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.api.ScheduleReader.ScheduleRequest;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.Request;
import dev.perdure.server.webhook.StoredSubmission;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes schedules that are stored. An edit keeps the fields that it does not name, so it is
 * worked out from a stored version and replaces only that version. If someone else was faster, it
 * is worked out again, unless the caller named the version.
 */
final class ScheduleEditor {

  private static final int MAX_TRIES = 3;

  private final Engine engine;
  private final StoredSubmission storedSubmission;
  private final Supplier<ScheduleReader> reader;

  /**
   * @param reader creates a reader of a whole schedule
   */
  ScheduleEditor(
      Engine engine, StoredSubmission storedSubmission, Supplier<ScheduleReader> reader) {
    this.engine = engine;
    this.storedSubmission = storedSubmission;
    this.reader = reader;
  }

  /**
   * What a schedule should be.
   *
   * @param batch what it submits; null to keep it
   * @param version the version that the caller has seen; null for any
   */
  private record ScheduleEdit(
      Trigger trigger, @Nullable Batch batch, ScheduleOptions options, @Nullable Long version) {

    static ScheduleEdit of(ScheduleRequest request) {
      return new ScheduleEdit(
          request.trigger(), request.batch(), request.options(), request.version());
    }

    boolean changesTimes(Schedule before) {
      return !TriggerJson.write(trigger).equals(TriggerJson.write(before.trigger()))
          || options.overlap() != before.overlap()
          || options.misfire() != before.misfire();
    }

    boolean isEnabledAsBefore(Schedule before) {
      return options.enabled() == before.enabled();
    }
  }

  /**
   * Replaces a schedule except for its name.
   *
   * @param find reads the schedule
   */
  Schedule replace(Request request, Supplier<Schedule> find) {
    JsonNode body = request.json();
    return edit(request, find, before -> ScheduleEdit.of(reader.get().read(body, before.name())));
  }

  /** Changes the given fields. What it submits is only read again if it changes. */
  Schedule patch(Request request, Supplier<Schedule> find) {
    JsonNode body = request.json();
    return edit(request, find, before -> patched(before, body));
  }

  private Schedule edit(
      Request request, Supplier<Schedule> find, Function<Schedule, ScheduleEdit> editor) {
    for (int tries = 1; ; tries++) {
      Schedule before = find.get();
      ScheduleEdit edit = editor.apply(before);
      if (isUnchanged(before, edit)) {
        return before; // An edit would count from now and leave out firings that are due.
      }
      try {
        return AuditedCommands.runAndRecord(
            request, entry(before, edit), () -> update(before, edit));
      } catch (IllegalStateException e) {
        if (edit.version() != null || tries == MAX_TRIES) {
          throw HttpProblemException.conflict(String.valueOf(e.getMessage()));
        }
      } catch (NoSuchElementException e) {
        throw HttpProblemException.notFound(String.valueOf(e.getMessage()));
      }
    }
  }

  private Schedule update(Schedule before, ScheduleEdit edit) {
    Long version = edit.version() == null ? (Long) before.version() : edit.version();
    return edit.batch() == null
        ? engine.schedules().update(before.id(), edit.trigger(), edit.options(), version)
        : engine
            .schedules()
            .update(before.id(), edit.trigger(), edit.batch(), edit.options(), version);
  }

  /** Another version than the stored one is for the store to refuse. */
  private boolean isUnchanged(Schedule before, ScheduleEdit edit) {
    return (edit.version() == null || edit.version() == before.version())
        && edit.isEnabledAsBefore(before)
        && !edit.changesTimes(before)
        && (edit.batch() == null || submitsSame(before, edit.options().asGiven()));
  }

  /** A schedule that cannot fire is stored again, in case that helps. */
  private boolean submitsSame(Schedule before, @Nullable String asGiven) {
    if (before.problem() != null || before.asGiven() == null || asGiven == null) {
      return false;
    }
    try {
      return storedSubmission.parse(before.asGiven()).equals(storedSubmission.parse(asGiven));
    } catch (IllegalStateException unreadable) {
      return false;
    }
  }

  private static AuditEntry entry(Schedule before, ScheduleEdit edit) {
    boolean switches = edit.batch() == null && !edit.changesTimes(before);
    String onOff = edit.options().enabled() ? "resume schedule" : "pause schedule";
    ObjectNode detail = JsonNodeFactory.instance.objectNode();
    detail.set("trigger", TriggerJson.write(edit.trigger()));
    if (!edit.isEnabledAsBefore(before)) {
      detail.put("enabled", edit.options().enabled());
    }
    return new AuditEntry(switches ? onOff : "change schedule", before.name(), detail);
  }

  private ScheduleEdit patched(Schedule before, JsonNode body) {
    FieldErrors errors = new FieldErrors();
    JsonObjectReader fields = new JsonValueReader("", body, errors).object();
    errors.throwIfAny();
    JsonObjectReader given = Objects.requireNonNull(fields);
    if (ScheduleReader.SUBMISSION_FIELDS.stream().anyMatch(given::has)) {
      return ScheduleEdit.of(reader.get().read(merged(before, (ObjectNode) body), before.name()));
    }
    ScheduleReader.name(given, before.name());
    JsonValueReader triggerField = given.nonNull("trigger");
    Trigger trigger = triggerField == null ? before.trigger() : TriggerJson.read(triggerField);
    ScheduleOptions options = ScheduleReader.options(given, options(before));
    Long version = ScheduleReader.version(given);
    given.rejectUnknown();
    errors.throwIfAny();
    return new ScheduleEdit(Objects.requireNonNull(trigger), null, options, version);
  }

  private static ScheduleOptions options(Schedule schedule) {
    return new ScheduleOptions(
        schedule.overlap(), schedule.misfire(), schedule.enabled(), schedule.asGiven());
  }

  /** The schedule as it would be sent with the changes. */
  private ObjectNode merged(Schedule before, ObjectNode changes) {
    if (before.asGiven() == null) {
      throw HttpProblemException.conflict(
          "schedule '%s' is declared by an application: change there what it submits"
              .formatted(FieldError.sanitize(before.name())));
    }
    ObjectNode merged;
    try {
      merged = storedSubmission.parse(before.asGiven());
    } catch (IllegalStateException unreadable) {
      throw HttpProblemException.conflict(
          "schedule '%s' cannot be decrypted: %s. Replace it with PUT, or restore the key"
              .formatted(FieldError.sanitize(before.name()), unreadable.getMessage()));
    }
    merged.set("trigger", TriggerJson.write(before.trigger()));
    merged
        .put("enabled", before.enabled())
        .put("overlap", before.overlap().text())
        .put("misfire", before.misfire().text());
    if (changes.hasNonNull("task")) {
      merged.remove("batch");
    }
    if (changes.hasNonNull("batch")) {
      merged.remove("task");
    }
    merged.setAll(changes);
    return merged;
  }
}
