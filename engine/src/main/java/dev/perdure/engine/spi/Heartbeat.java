// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.LeaseKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An attempt is alive: its silence is counted from now.
 *
 * @param success items done, or null to leave it
 * @param expected items in all, or null to leave it
 * @param lease a remote worker's lease from now, or null to leave it
 */
public record Heartbeat(
    LeaseKey key, @Nullable Long success, @Nullable Long expected, @Nullable Duration lease) {}
