// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.Outcome;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.Request;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The changes in the body of a PATCH. Null, and 0 for counters, mean no change.
 *
 * @param epoch the lease epoch of the worker that sent it
 * @param outcome the outcome of the attempt
 * @param newSuccess added to the success counter
 * @param newFailures added to the failure counter
 */
record TaskPatch(
    @Nullable Long epoch,
    @Nullable Outcome outcome,
    long newSuccess,
    long newFailures,
    @Nullable Integer priority,
    @Nullable Long expectedCount,
    @Nullable String metadata) {

  private static final int MAX_PRIORITY = 1_000;

  /** Throws InvalidPolicyException with all problems. */
  static TaskPatch of(Request request) {
    BodyReader body = BodyReader.of(request);
    TaskPatch patch =
        new TaskPatch(
            epoch(body),
            OutcomeReader.read(body),
            body.integer("new_success", 0L, 0),
            body.integer("new_failures", 0L, 0),
            priority(body),
            expected(body),
            metadata(body));
    body.requireValid();
    if (patch.isEmpty()) {
      throw HttpProblemException.badRequest(
          "the body changes nothing: send at least one of status, new_success, new_failures,"
              + " metadata, priority and expected_count");
    }
    return patch;
  }

  /** Null only when the field is absent: a null must not turn a worker into an operator. */
  static @Nullable Long epoch(BodyReader body) {
    JsonValueReader value = body.optionalOrNull("epoch");
    return value == null ? null : value.integer(1, Long.MAX_VALUE);
  }

  private static @Nullable Integer priority(BodyReader body) {
    JsonValueReader value = body.optional("priority");
    Long priority = value == null ? null : value.integer(-MAX_PRIORITY, MAX_PRIORITY);
    return priority == null ? null : (Integer) priority.intValue();
  }

  private static @Nullable Long expected(BodyReader body) {
    JsonValueReader value = body.optional("expected_count");
    return value == null ? null : value.integer(0, Long.MAX_VALUE);
  }

  private static @Nullable String metadata(BodyReader body) {
    JsonValueReader value = body.optional("metadata");
    return value == null ? null : metadata(value);
  }

  /** The JSON text of a metadata object; null, with an error, when it is not one or too large. */
  static @Nullable String metadata(JsonValueReader value) {
    return value.object() == null ? null : limited(value, NewTask.MAX_METADATA_BYTES);
  }

  /** The JSON text of any value; null, with an error, when it is too large. */
  static @Nullable String limited(JsonValueReader value, int maxBytes) {
    String text = value.json().toString();
    if (text.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
      value.addError("must have at most %d bytes of JSON".formatted(maxBytes));
      return null;
    }
    return text;
  }

  boolean addsToCounters() {
    return newSuccess > 0 || newFailures > 0;
  }

  boolean updatesTask() {
    return priority != null || expectedCount != null || metadata != null;
  }

  /** True when it changes anything besides the outcome. */
  boolean hasChanges() {
    return addsToCounters() || updatesTask();
  }

  private boolean isEmpty() {
    return outcome == null && !hasChanges();
  }

  /** A summary for the audit log: long texts are truncated, metadata is only mentioned. */
  ObjectNode summary() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    if (outcome instanceof Outcome.Succeeded) {
      json.put("status", "Success");
    }
    if (outcome instanceof Outcome.Failed failed) {
      json.put("status", "Failure");
      putIfPresent(json, "failure_code", failed.failure().code());
      putIfPresent(json, "failure_reason", failed.failure().message());
    }
    if (newSuccess > 0) {
      json.put("new_success", newSuccess);
    }
    if (newFailures > 0) {
      json.put("new_failures", newFailures);
    }
    if (priority != null) {
      json.put("priority", priority);
    }
    if (expectedCount != null) {
      json.put("expected_count", expectedCount);
    }
    putIfPresent(json, "metadata", metadata == null ? null : "…");
    return json;
  }

  private static void putIfPresent(ObjectNode json, String name, @Nullable String text) {
    if (text != null) {
      json.put(name, AuditedCommands.truncate(text));
    }
  }
}
