// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.Outcome;
import dev.perdure.policy.json.Value;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Request;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a PATCH says of a task; null and 0 mean nothing.
 *
 * @param epoch the lease of whoever says it
 * @param outcome how the attempt ended
 * @param success items done since the last word
 * @param failures items failed since then
 */
record Patch(
    @Nullable Long epoch,
    @Nullable Outcome outcome,
    long success,
    long failures,
    @Nullable Integer priority,
    @Nullable Long expected,
    @Nullable String metadata) {

  private static final int MOST_PRIORITY = 1_000;

  /** Throws InvalidPolicyException with all problems. */
  static Patch of(Request request) {
    Form form = Form.of(request);
    Patch patch =
        new Patch(
            epoch(form),
            OutcomeForm.read(form),
            form.whole("new_success", 0L, 0),
            form.whole("new_failures", 0L, 0),
            priority(form),
            expected(form),
            metadata(form));
    form.requireRight();
    if (patch.isEmpty()) {
      throw RefusedException.badRequest(
          "the body says nothing: name a status, counters, metadata, a priority or expected_count");
    }
    return patch;
  }

  static @Nullable Long epoch(Form form) {
    Value value = form.given("epoch");
    return value == null ? null : value.whole(1, Long.MAX_VALUE);
  }

  private static @Nullable Integer priority(Form form) {
    Value value = form.given("priority");
    Long priority = value == null ? null : value.whole(-MOST_PRIORITY, MOST_PRIORITY);
    return priority == null ? null : (Integer) priority.intValue();
  }

  private static @Nullable Long expected(Form form) {
    Value value = form.given("expected_count");
    return value == null ? null : value.whole(0, Long.MAX_VALUE);
  }

  private static @Nullable String metadata(Form form) {
    Value value = form.given("metadata");
    return value == null ? null : metadata(value);
  }

  /** An object as text; null when it is none, or too large. */
  static @Nullable String metadata(Value value) {
    if (value.fields() == null) {
      return null;
    }
    String text = value.json().toString();
    if (text.getBytes(StandardCharsets.UTF_8).length > NewTask.MOST_METADATA_BYTES) {
      value.wrong("must have at most %d bytes of JSON".formatted(NewTask.MOST_METADATA_BYTES));
      return null;
    }
    return text;
  }

  boolean counts() {
    return success > 0 || failures > 0;
  }

  boolean revises() {
    return priority != null || expected != null || metadata != null;
  }

  /** True when it changes what a callee has no business with. */
  boolean steers() {
    return priority != null || metadata != null;
  }

  /** True when it says more than how the attempt ended. */
  boolean changes() {
    return counts() || revises();
  }

  private boolean isEmpty() {
    return outcome == null && !changes();
  }

  /** What it says, for the audit; of what may be long a part, or only that it is there. */
  ObjectNode summary() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    if (outcome instanceof Outcome.Succeeded) {
      json.put("status", "Success");
    }
    if (outcome instanceof Outcome.Failed failed) {
      json.put("status", "Failure");
      putIfSaid(json, "failure_code", failed.failure().code());
      putIfSaid(json, "failure_reason", failed.failure().message());
    }
    if (success > 0) {
      json.put("new_success", success);
    }
    if (failures > 0) {
      json.put("new_failures", failures);
    }
    if (priority != null) {
      json.put("priority", priority);
    }
    if (expected != null) {
      json.put("expected_count", expected);
    }
    putIfSaid(json, "metadata", metadata == null ? null : "…");
    return json;
  }

  private static void putIfSaid(ObjectNode json, String name, @Nullable String text) {
    if (text != null) {
      json.put(name, Deeds.brief(text));
    }
  }
}
