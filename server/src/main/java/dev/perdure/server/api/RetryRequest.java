// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.InstantText;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.http.Request;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * How an operator wants a task to be retried.
 *
 * @param at when it should be due; null for now
 * @param ignoresDependencies whether it runs although a task that it depends on failed
 */
record RetryRequest(@Nullable Instant at, boolean ignoresDependencies) {

  static final RetryRequest NOW = new RetryRequest(null, false);

  /** Throws InvalidPolicyException with all problems. */
  static RetryRequest of(Request request) {
    BodyReader body = BodyReader.of(request);
    JsonValueReader value = body.optional("at");
    Instant at = value == null ? null : value.instant();
    boolean ignoresDependencies = body.bool("ignore_dependencies", false);
    if (value != null && ignoresDependencies) {
      value.addError("cannot be combined with 'ignore_dependencies': leave one of them out");
    }
    body.requireValid();
    return new RetryRequest(at, ignoresDependencies);
  }

  /** For the audit log; null when the request says nothing. */
  @Nullable ObjectNode detail() {
    if (equals(NOW)) {
      return null;
    }
    ObjectNode detail = JsonNodeFactory.instance.objectNode();
    return at == null
        ? detail.put("ignore_dependencies", true)
        : detail.put("at", InstantText.of(at));
  }
}
