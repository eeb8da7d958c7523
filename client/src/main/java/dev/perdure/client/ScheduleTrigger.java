// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import dev.perdure.policy.DurationText;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.TextStyle;
import java.util.Locale;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * When a schedule fires. Immutable. The server checks it; {@link ScheduleClient#preview} shows what
 * it means.
 */
public final class ScheduleTrigger {

  private final ObjectNode json;

  private ScheduleTrigger(ObjectNode json) {
    this.json = json;
  }

  private static ScheduleTrigger of(String field, String value) {
    return new ScheduleTrigger(JsonNodeFactory.instance.objectNode().put(field, value));
  }

  /**
   * A cron expression in this time zone.
   *
   * @param expression five fields, such as {@code 0 8 * * 1-5}, or {@code @daily}
   */
  public static ScheduleTrigger cron(String expression, ZoneId zone) {
    ScheduleTrigger trigger = of("cron", expression);
    trigger.json.put("zone", zone.getId());
    return trigger;
  }

  /** Every so often, by elapsed time. */
  public static ScheduleTrigger every(Duration interval) {
    return of("every", DurationText.format(interval));
  }

  /** At a time of day in this time zone, on these days; on every day if none is given. */
  public static ScheduleTrigger at(LocalTime time, ZoneId zone, DayOfWeek... days) {
    ScheduleTrigger trigger = of("at", time.toString());
    if (days.length > 0) {
      ArrayNode names = trigger.json.putArray("days");
      Stream.of(days).forEach(day -> names.add(name(day)));
    }
    trigger.json.put("zone", zone.getId());
    return trigger;
  }

  private static String name(DayOfWeek day) {
    return day.getDisplayName(TextStyle.SHORT, Locale.ENGLISH).toLowerCase(Locale.ROOT);
  }

  ObjectNode toJson() {
    return json.deepCopy();
  }

  @Override
  public String toString() {
    return json.toString();
  }
}
