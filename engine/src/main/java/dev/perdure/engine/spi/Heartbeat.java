// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.LeaseKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A sign that an attempt is alive; its inactivity timeout starts over.
 *
 * @param success items done, or null to leave the counter
 * @param expected how many items there are, or null to leave it
 * @param lease a new lease length for a remote worker, or null to leave it
 */
public record Heartbeat(
    LeaseKey key, @Nullable Long success, @Nullable Long expected, @Nullable Duration lease) {}
