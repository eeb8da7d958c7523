// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.LimitReader.LimitUsage;
import dev.perdure.engine.query.LimitReader.LimitWait;
import dev.perdure.engine.spi.LimitKeys;
import dev.perdure.policy.DurationText;
import dev.perdure.policy.InstantText;
import java.time.Duration;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes limits as JSON. Only a rate has {@code per}, {@code burst} and {@code next_start_at}. */
final class LimitJson {

  private LimitJson() {}

  static ObjectNode of(LimitUsage limit) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("key", limit.key())
            .put("type", limit.rule().type().text())
            .put("kind", LimitKeys.kind(limit.key()))
            .put("scope", LimitKeys.isOfKind(limit.key()) ? "kind" : "task")
            .put("max", limit.rule().max())
            .put("used", limit.used())
            .put("waiting", limit.waiting());
    Duration per = limit.rule().per();
    if (per != null) {
      json.put("per", DurationText.format(per)).put("burst", limit.rule().burst());
    }
    return withNextStart(json, limit);
  }

  /** The limit that a task waits for. */
  static ObjectNode blockedBy(LimitWait wait) {
    LimitUsage limit = wait.limit();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("type", limit.rule().type().text())
            .put("key", limit.key())
            .put("used", limit.used())
            .put("max", limit.rule().max())
            .put("ahead", wait.ahead());
    return withNextStart(json, limit);
  }

  private static ObjectNode withNextStart(ObjectNode json, LimitUsage limit) {
    return limit.rule().per() == null
        ? json
        : json.put("next_start_at", InstantText.of(limit.earliestStart()));
  }
}
