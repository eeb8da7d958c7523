// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.server.http.QueryParameters;
import dev.perdure.server.webhook.StoredActions;
import dev.perdure.server.webhook.action.ActionTrigger;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** The query of a page of deliveries. */
record DeliveryQuery(DeliveryFilter filter, PageRequest page) {

  private static final List<String> PARAMETERS =
      List.of("state", "task", "trigger", "page_size", "after");
  private static final List<String> STATES =
      Stream.of(DeliveryState.values()).map(DeliveryState::text).toList();

  /** All triggers but {@code on_start}, whose call is an attempt of the task, not a delivery. */
  private static final List<String> TRIGGERS =
      Stream.concat(
              Stream.of(ActionTrigger.values())
                  .filter(trigger -> trigger != ActionTrigger.START)
                  .map(ActionTrigger::field),
              Stream.of(StoredActions.NOTIFY))
          .toList();

  /** Throws InvalidPolicyException with all problems. */
  static DeliveryQuery of(QueryParameters parameters, ApiLimits limits) {
    QueryReader query = QueryReader.of(parameters, PARAMETERS);
    String state = query.oneOf("state", STATES);
    DeliveryFilter filter =
        new DeliveryFilter(
            state == null ? null : DeliveryState.of(state).orElseThrow(),
            query.id("task"),
            query.oneOf("trigger", TRIGGERS));
    UUID after = query.id("after");
    int pageSize = query.pageSize(limits);
    query.requireValid();
    return new DeliveryQuery(
        filter, new PageRequest(pageSize, after == null ? null : after.toString()));
  }
}
