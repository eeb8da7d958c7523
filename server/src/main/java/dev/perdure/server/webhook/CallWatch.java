// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.engine.EngineListener;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * How calls are timed, and who is told of them.
 *
 * @param clock stamps signatures
 * @param monotonic time that never goes back
 * @param listener is told of each start; the engine tells it of deliveries
 */
public record CallWatch(
    InstantSource clock, Supplier<Duration> monotonic, EngineListener listener) {}
