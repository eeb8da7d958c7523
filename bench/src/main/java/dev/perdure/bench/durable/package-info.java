// SPDX-License-Identifier: Apache-2.0
/** What durable tasks cost from end to end, beside a peer and beside the bare SQL. */
@NullMarked
package dev.perdure.bench.durable;

import org.jspecify.annotations.NullMarked;
