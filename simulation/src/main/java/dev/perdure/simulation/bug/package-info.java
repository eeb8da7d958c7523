// SPDX-License-Identifier: Apache-2.0
/** Bugs planted on purpose between the engine and its store, to see whether they are found. */
@NullMarked
package dev.perdure.simulation.bug;

import org.jspecify.annotations.NullMarked;
