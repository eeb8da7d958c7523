// SPDX-License-Identifier: Apache-2.0
/**
 * Runs the engine on a simulated clock, a simulated scheduler and an unreliable store. The seed
 * determines everything that happens in a run.
 */
@NullMarked
package dev.perdure.simulation;

import org.jspecify.annotations.NullMarked;
