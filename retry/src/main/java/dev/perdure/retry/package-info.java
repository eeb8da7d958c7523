/** In-process retries of failed calls, controlled by a retry policy. */
@NullMarked
package dev.perdure.retry;

import org.jspecify.annotations.NullMarked;
