// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import static java.util.stream.Collectors.joining;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON form of triggers:
 *
 * <pre>{@code
 * {"cron": "0 8 * * 1-5", "zone": "Europe/Paris"}
 * {"every": "5m"}
 * {"at": "08:00", "days": ["mon", "thu"], "zone": "Europe/Paris"}
 * }</pre>
 *
 * Without a zone it is UTC; without days it is every day.
 */
public final class TriggerJson {

  private static final List<String> KINDS = List.of("cron", "every", "at");

  private TriggerJson() {}

  /**
   * Reads a trigger, and adds everything that is wrong to the errors of the value. Returns null if
   * it cannot be read.
   */
  public static @Nullable Trigger read(JsonValueReader value) {
    JsonObjectReader fields = value.object();
    if (fields == null) {
      return null;
    }
    List<String> kinds = KINDS.stream().filter(fields::has).toList();
    if (kinds.size() > 1) {
      value.addError("has %s; keep one of them".formatted(Words.list(kinds, "and")));
      return null;
    }
    Trigger trigger =
        switch (kinds.isEmpty() ? "" : kinds.getFirst()) {
          case "cron" -> cron(fields);
          case "every" -> every(fields);
          case "at" -> at(fields);
          default -> none(value, fields);
        };
    fields.rejectUnknown();
    return trigger;
  }

  /**
   * Reads a trigger that {@link #write} has written.
   *
   * @throws IllegalArgumentException if it is wrong
   */
  public static Trigger parse(String json) {
    FieldErrors errors = new FieldErrors();
    Trigger trigger =
        read(new JsonValueReader("trigger", JsonMapper.shared().readTree(json), errors));
    if (trigger == null || errors.count() > 0) {
      throw new IllegalArgumentException(
          errors.list().stream().map(String::valueOf).collect(joining("; ")));
    }
    return trigger;
  }

  /**
   * Reads a trigger that is stored. One that cannot be read is returned all the same; its {@link
   * Trigger#firingTimes} throws.
   */
  public static Trigger stored(String json) {
    try {
      return parse(json);
    } catch (IllegalArgumentException | JacksonException e) {
      return new UnreadableTrigger(json, String.valueOf(e.getMessage()));
    }
  }

  private static @Nullable Trigger none(JsonValueReader value, JsonObjectReader fields) {
    for (String kind : List.of("cron", "every", "at", "days", "zone")) {
      fields.optional(kind);
    }
    value.addError("must have cron, every or at, such as {\"cron\": \"0 8 * * 1-5\"}");
    return null;
  }

  private static @Nullable Trigger cron(JsonObjectReader fields) {
    JsonValueReader value = fields.required("cron");
    String text = value == null ? null : value.text();
    ZoneId zone = zone(fields);
    reject(fields, "days", "belongs to at; put the weekdays into the fifth field of cron");
    if (value == null || text == null) {
      return null;
    }
    List<String> errors = new ArrayList<>();
    Trigger trigger = CronTrigger.read(text, zone == null ? Zones.UTC : zone, errors);
    errors.forEach(value::addError);
    return zone == null ? null : trigger;
  }

  private static @Nullable Trigger every(JsonObjectReader fields) {
    JsonValueReader value = fields.required("every");
    Duration interval = value == null ? null : value.duration();
    String elapsed = "does not go with every, which counts elapsed time; ";
    reject(fields, "zone", elapsed + "remove it");
    reject(fields, "days", elapsed + "use at or cron instead");
    if (value == null || interval == null) {
      return null;
    }
    try {
      return Trigger.every(interval);
    } catch (IllegalArgumentException e) {
      value.addError(String.valueOf(e.getMessage()).replaceFirst("^every: ", ""));
      return null;
    }
  }

  private static @Nullable Trigger at(JsonObjectReader fields) {
    JsonValueReader value = fields.required("at");
    LocalTime time = value == null ? null : TimeOfDayFields.time(value);
    Set<DayOfWeek> days = TimeOfDayFields.days(fields.nonNull("days"));
    ZoneId zone = zone(fields);
    return time == null || days == null || zone == null ? null : Trigger.at(time, zone, days);
  }

  private static void reject(JsonObjectReader fields, String name, String message) {
    JsonValueReader value = fields.optional(name);
    fields.neverSuggest(name);
    if (value != null && !value.isNull()) {
      value.addError(message);
    }
  }

  /** UTC if there is no zone; null if it is wrong. */
  private static @Nullable ZoneId zone(JsonObjectReader fields) {
    JsonValueReader value = fields.nonNull("zone");
    if (value == null) {
      return Zones.UTC;
    }
    String name = value.text();
    try {
      return name == null ? null : Zones.parse(name);
    } catch (IllegalArgumentException e) {
      value.addError(String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** The JSON form; it names the zone also when it is UTC. */
  public static ObjectNode write(Trigger trigger) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    switch (trigger) {
      case CronTrigger cron ->
          json.put("cron", cron.expression().text()).put("zone", cron.zone().getId());
      case IntervalTrigger every -> json.put("every", DurationText.format(every.interval()));
      case TimeOfDayTrigger at -> {
        json.put("at", at.time().toString());
        if (!at.everyDay()) {
          ArrayNode days = json.putArray("days");
          at.days().forEach(day -> days.add(TimeOfDayFields.name(day)));
        }
        json.put("zone", at.zone().getId());
      }
      case UnreadableTrigger unreadable -> {
        return asStored(unreadable);
      }
    }
    return json;
  }

  private static ObjectNode asStored(UnreadableTrigger trigger) {
    try {
      if (JsonMapper.shared().readTree(trigger.json()) instanceof ObjectNode json) {
        return json;
      }
    } catch (JacksonException e) {
      // It is no JSON at all.
    }
    return JsonNodeFactory.instance.objectNode().put("unreadable", trigger.json());
  }
}
