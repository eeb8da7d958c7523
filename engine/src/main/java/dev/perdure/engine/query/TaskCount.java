// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

/**
 * A number of tasks.
 *
 * @param exact false when counting stopped early, so that there may be more
 */
public record TaskCount(long tasks, boolean exact) {}
