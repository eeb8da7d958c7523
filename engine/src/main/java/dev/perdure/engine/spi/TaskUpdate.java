// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is to be different about a task that has not ended; null leaves a thing as it is.
 *
 * @param epoch only while this lease is held; null means in any live state
 * @param priority −1000 to 1000
 * @param expected items in all
 * @param metadata a JSON object in the place of the one before
 */
public record TaskUpdate(
    UUID task,
    @Nullable Long epoch,
    @Nullable Integer priority,
    @Nullable Long expected,
    @Nullable String metadata) {}
