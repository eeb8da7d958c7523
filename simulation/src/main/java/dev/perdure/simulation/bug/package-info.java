// SPDX-License-Identifier: Apache-2.0
/** Bugs planted between the engine and its store, to check that the simulation finds them. */
@NullMarked
package dev.perdure.simulation.bug;

import org.jspecify.annotations.NullMarked;
