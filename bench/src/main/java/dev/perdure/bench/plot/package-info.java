// SPDX-License-Identifier: Apache-2.0
/** Plots of measurements. */
@NullMarked
package dev.perdure.bench.plot;

import org.jspecify.annotations.NullMarked;
