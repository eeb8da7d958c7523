// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.Announcer;
import dev.perdure.engine.task.LossLimit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a node works.
 *
 * @param name the node, for people
 * @param slots how many attempts run here at once
 * @param poll how often to look for work when nobody says that there is some
 * @param retention how long ended tasks are kept; null means for ever
 * @param announcer whom to tell
 * @param courier who takes deliveries where they go; null when this node sends none
 * @param tracer says what handlers pass on
 * @param waitingWorkers how many workers outside may wait for tasks at once
 */
record Settings(
    String name,
    int slots,
    Duration poll,
    LeaseTimes leases,
    LossLimit lossLimit,
    @Nullable Duration retention,
    Announcer announcer,
    @Nullable Courier courier,
    DeliveryOptions deliveries,
    Tracer tracer,
    int waitingWorkers) {}
