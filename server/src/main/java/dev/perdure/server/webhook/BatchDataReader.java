// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.engine.query.BatchReader;
import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.server.webhook.action.BatchData;
import dev.perdure.server.webhook.action.BodyTemplate;
import dev.perdure.server.webhook.action.WebhookAction;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Reads what the body of a webhook needs of the task's batch and parents; often nothing. */
final class BatchDataReader {

  private final BatchReader batches;

  BatchDataReader(BatchReader batches) {
    this.batches = batches;
  }

  BatchData read(WebhookAction action, UUID task, UUID batch) {
    BodyTemplate body = action.body();
    if (body == null) {
      return BatchData.of(batch);
    }
    BatchDefinition definition =
        body.usesBatchDefinition()
            ? batches.definition(batch).orElse(BatchDefinition.NONE)
            : BatchDefinition.NONE;
    Set<String> names = body.parents();
    Map<String, ParentTask> parents =
        names.isEmpty() ? Map.of() : batches.namedParents(task, names);
    return new BatchData(batch, definition, parents);
  }
}
