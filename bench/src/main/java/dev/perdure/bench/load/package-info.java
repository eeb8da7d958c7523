// SPDX-License-Identifier: Apache-2.0
/** A load test of the server, which runs as a separate process on the same machine. */
@NullMarked
package dev.perdure.bench.load;

import org.jspecify.annotations.NullMarked;
