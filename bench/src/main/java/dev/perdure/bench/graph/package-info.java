// SPDX-License-Identifier: Apache-2.0
/** A benchmark of task graphs. */
@NullMarked
package dev.perdure.bench.graph;

import org.jspecify.annotations.NullMarked;
