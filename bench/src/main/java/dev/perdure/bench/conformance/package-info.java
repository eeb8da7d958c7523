/** Checks several retry libraries against the same requirements. */
@NullMarked
package dev.perdure.bench.conformance;

import org.jspecify.annotations.NullMarked;
