/**
 * The retry policy and its decision. Pure: nothing here reads a clock, a random source or a thread
 * that it was not handed. For everybody.
 */
@NullMarked
package dev.perdure.policy;

import org.jspecify.annotations.NullMarked;
