// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.BatchDefinition;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The batch of the running task, as it was submitted. */
public final class BatchContext {

  private final UUID id;
  private final BatchDefinition definition;
  private final PayloadCodec payloadCodec;

  BatchContext(UUID id, BatchDefinition definition, PayloadCodec payloadCodec) {
    this.id = id;
    this.definition = definition;
    this.payloadCodec = payloadCodec;
  }

  public UUID id() {
    return id;
  }

  public @Nullable String name() {
    return definition.name();
  }

  /** The context that was submitted with the batch; null when there was none. */
  public <T> @Nullable T context(Class<T> type) {
    String context = definition.context();
    return context == null ? null : payloadCodec.read(context, type);
  }
}
