/** Tries failed calls again, in this process, as a policy says. For everybody. */
@NullMarked
package dev.perdure.retry;

import org.jspecify.annotations.NullMarked;
