// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.UUID;

/**
 * A delivery to be written together with the change that it tells of.
 *
 * @param id of the shard of its task
 */
public record NewDelivery(UUID id, DeliveryMessage message) {}
