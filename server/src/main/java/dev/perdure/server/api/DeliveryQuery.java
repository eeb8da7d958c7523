// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.server.http.QueryParameters;
import dev.perdure.server.webhook.action.Trigger;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Which deliveries are asked for. */
record DeliveryQuery(DeliveryFilter filter, PageRequest page) {

  private static final List<String> PARAMETERS =
      List.of("state", "task", "trigger", "page_size", "after");
  private static final List<String> STATES =
      Stream.of(DeliveryState.values()).map(DeliveryState::text).toList();

  /** All but the start, which is an attempt and no delivery. */
  private static final List<String> TRIGGERS =
      EnumSet.complementOf(EnumSet.of(Trigger.START)).stream().map(Trigger::field).toList();

  /** Throws InvalidPolicyException with all problems. */
  static DeliveryQuery of(QueryParameters parameters, ApiLimits limits) {
    QueryReader form = QueryReader.of(parameters, PARAMETERS);
    String state = form.oneOf("state", STATES);
    DeliveryFilter filter =
        new DeliveryFilter(
            state == null ? null : DeliveryState.of(state).orElseThrow(),
            form.id("task"),
            form.oneOf("trigger", TRIGGERS));
    UUID after = form.id("after");
    int size = form.pageSize(limits);
    form.requireValid();
    return new DeliveryQuery(
        filter, new PageRequest(size, after == null ? null : after.toString()));
  }
}
