// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A task that another one depends on.
 *
 * @param localId the submitter's own id
 * @param requiresSuccess whether the child fails when this task does; otherwise it runs anyway
 */
public record ParentInfo(
    UUID id,
    @Nullable String localId,
    @Nullable String name,
    TaskStatus status,
    boolean requiresSuccess) {

  static ParentInfo of(JsonNode json) {
    JsonFields parent = new JsonFields(json);
    return new ParentInfo(
        parent.required("id", parent::id),
        parent.text("local_id"),
        parent.text("name"),
        TaskStatus.of(parent.required("status", parent::text)),
        json.path("requires_success").asBoolean(true));
  }
}
