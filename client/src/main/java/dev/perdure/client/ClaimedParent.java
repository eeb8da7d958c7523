// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A task that a claimed one depends on.
 *
 * @param localId the submitter's own id
 * @param result null when there is none, and when it is omitted
 * @param resultOmitted true when the result is too large to come with a claim: read it with {@link
 *     PerdureClient#get}
 */
public record ClaimedParent(
    UUID id,
    @Nullable String localId,
    TaskStatus status,
    @Nullable JsonNode result,
    boolean resultOmitted) {

  static ClaimedParent of(JsonNode json) {
    JsonFields parent = new JsonFields(json);
    return new ClaimedParent(
        parent.required("id", parent::id),
        parent.text("local_id"),
        TaskStatus.of(parent.required("status", parent::text)),
        parent.node("result"),
        parent.flag("result_omitted"));
  }

  /** The result as an object of this class; null when there is none. */
  public <T> @Nullable T result(Class<T> type) {
    return result == null ? null : JsonMapper.shared().treeToValue(result, type);
  }
}
