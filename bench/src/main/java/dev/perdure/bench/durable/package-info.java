// SPDX-License-Identifier: Apache-2.0
/** A benchmark of durable tasks, compared with db-scheduler and with hand-written SQL. */
@NullMarked
package dev.perdure.bench.durable;

import org.jspecify.annotations.NullMarked;
