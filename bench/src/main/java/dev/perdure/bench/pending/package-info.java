/** A benchmark of many asynchronous calls that wait for a retry at the same time. */
@NullMarked
package dev.perdure.bench.pending;

import org.jspecify.annotations.NullMarked;
