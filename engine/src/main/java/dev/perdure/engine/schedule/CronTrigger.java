// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fires at the local times of a cron expression. */
record CronTrigger(CronExpression expression, ZoneId zone) implements Trigger {

  static CronTrigger of(String text, ZoneId zone) {
    List<String> errors = new ArrayList<>();
    CronTrigger trigger = read(text, zone, errors);
    if (trigger == null) {
      throw new IllegalArgumentException(String.join("; ", errors));
    }
    return trigger;
  }

  /** Returns null if the expression is wrong, and adds what is wrong to the errors. */
  static @Nullable CronTrigger read(String text, ZoneId zone, List<String> errors) {
    CronExpression expression = CronParser.parse(text, errors);
    return expression == null ? null : new CronTrigger(expression, Zones.normalized(zone));
  }

  @Override
  public FiringTimes firingTimes(Instant anchor) {
    return CronTimes.of(expression, zone, anchor);
  }

  @Override
  public String describe() {
    return CronWords.of(expression, zone);
  }

  @Override
  public String toString() {
    return TriggerJson.write(this).toString();
  }
}
