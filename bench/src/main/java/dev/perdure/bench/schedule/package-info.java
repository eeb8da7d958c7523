// SPDX-License-Identifier: Apache-2.0
/** A benchmark of schedules. */
@NullMarked
package dev.perdure.bench.schedule;

import org.jspecify.annotations.NullMarked;
