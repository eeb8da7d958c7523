// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import tools.jackson.databind.JsonNode;

/**
 * A schedule that was deleted.
 *
 * @param canceled how many of its tasks were live, and have been canceled
 */
public record DeletedSchedule(ScheduleInfo schedule, long canceled) {

  /** Reads the server's JSON. */
  public static DeletedSchedule of(JsonNode json) {
    JsonFields deleted = new JsonFields(json);
    return new DeletedSchedule(
        ScheduleInfo.of(json), deleted.required("canceled", deleted::number));
  }
}
