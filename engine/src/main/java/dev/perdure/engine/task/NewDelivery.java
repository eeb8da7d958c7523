// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.UUID;

/**
 * A delivery to write together with the change that causes it.
 *
 * @param id an id in the shard of its task
 */
public record NewDelivery(UUID id, DeliveryMessage message) {}
