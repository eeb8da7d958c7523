// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.task.DeliveryPlanner;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a node works.
 *
 * @param name the node, for people
 * @param slots how many attempts run here at once
 * @param pollInterval how often to look for work when nobody says that there is some
 * @param retention how long ended tasks are kept; null means for ever
 * @param deliveryPlanner whom to tell
 * @param deliverySender who takes deliveries where they go; null when this node sends none
 * @param tracer says what handlers pass on
 * @param maxWaitingWorkers how many workers outside may wait for tasks at once
 */
record EngineSettings(
    String name,
    int slots,
    Duration pollInterval,
    NodeLeaseOptions nodeLease,
    LossLimit lossLimit,
    @Nullable Duration retention,
    DeliveryPlanner deliveryPlanner,
    @Nullable DeliverySender deliverySender,
    DeliveryOptions deliveryOptions,
    TaskTracer tracer,
    int maxWaitingWorkers) {}
