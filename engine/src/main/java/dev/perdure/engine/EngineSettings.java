// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.task.DeliveryPlanner;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a node.
 *
 * @param name the name of the node to show
 * @param slots how many attempts run at once
 * @param pollInterval how often to look for tasks without a wake-up
 * @param retention how long ended tasks are kept; null means forever
 * @param deliverySender null when this node sends no deliveries
 * @param tracer chooses the trace context that handlers pass on
 * @param maxWaitingWorkers how many remote workers may wait for tasks at once
 * @param version the version of the program to show
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
    int maxWaitingWorkers,
    String version) {}
