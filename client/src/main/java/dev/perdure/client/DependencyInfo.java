// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * A dependency: the child waits for the parent.
 *
 * @param requiresSuccess whether the child fails when the parent does; otherwise it runs anyway
 */
public record DependencyInfo(UUID parentId, UUID childId, boolean requiresSuccess) {

  static DependencyInfo of(JsonNode json) {
    JsonFields link = new JsonFields(json);
    return new DependencyInfo(
        link.required("parent_id", link::id),
        link.required("child_id", link::id),
        json.path("requires_success").asBoolean(true));
  }
}
