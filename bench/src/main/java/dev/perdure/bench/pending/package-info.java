/** What it costs when very many calls wait for their next attempt at once. */
@NullMarked
package dev.perdure.bench.pending;

import org.jspecify.annotations.NullMarked;
