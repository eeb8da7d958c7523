// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.task.BatchDefinition;
import java.util.Map;
import java.util.UUID;

/**
 * What a body template can use of the task's batch and of the tasks that it depends on.
 *
 * @param definition empty unless the template uses it
 * @param parents those that the template uses, by the names that it uses
 */
public record BatchData(UUID id, BatchDefinition definition, Map<String, ParentTask> parents) {

  static final BatchData SAMPLE = of(new UUID(0, 0));

  public BatchData {
    parents = Map.copyOf(parents);
  }

  /** Only the id. */
  public static BatchData of(UUID batch) {
    return new BatchData(batch, BatchDefinition.NONE, Map.of());
  }
}
