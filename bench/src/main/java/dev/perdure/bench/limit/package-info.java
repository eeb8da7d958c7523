// SPDX-License-Identifier: Apache-2.0
/** Benchmarks of limits. */
@NullMarked
package dev.perdure.bench.limit;

import org.jspecify.annotations.NullMarked;
