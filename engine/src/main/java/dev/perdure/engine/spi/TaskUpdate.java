// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * New values for fields of a task that has not ended; null leaves a field as it is.
 *
 * @param epoch only while this lease is held; null means in any live state
 * @param priority −1000 to 1000
 * @param expected how many items there are
 * @param metadata a JSON object that replaces the current one
 */
public record TaskUpdate(
    UUID task,
    @Nullable Long epoch,
    @Nullable Integer priority,
    @Nullable Long expected,
    @Nullable String metadata) {}
