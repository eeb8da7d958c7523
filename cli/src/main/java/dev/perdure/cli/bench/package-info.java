// SPDX-License-Identifier: Apache-2.0
/** Generates the load that {@code perdure bench} measures. */
@NullMarked
package dev.perdure.cli.bench;

import org.jspecify.annotations.NullMarked;
