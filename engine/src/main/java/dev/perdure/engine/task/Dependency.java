// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.UUID;

/**
 * A task that waits for another one. Both are in the same shard.
 *
 * @param requiresSuccess true when the child fails unless the parent succeeds; false when the child
 *     only waits for the parent's end
 */
public record Dependency(UUID parent, UUID child, boolean requiresSuccess) {}
