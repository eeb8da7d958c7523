/**
 * Retry policies and the decisions they make.
 *
 * <p>Everything here is pure: no code reads a clock, a random source or a thread unless the caller
 * passes it in.
 */
@NullMarked
package dev.perdure.policy;

import org.jspecify.annotations.NullMarked;
