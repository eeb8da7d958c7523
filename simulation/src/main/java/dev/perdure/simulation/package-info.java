// SPDX-License-Identifier: Apache-2.0
/**
 * The whole engine under a simulated clock, a scheduler that goes step by step and a store that
 * fails. Each run is a function of its seed.
 */
@NullMarked
package dev.perdure.simulation;

import org.jspecify.annotations.NullMarked;
