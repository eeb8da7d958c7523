/** Support for testing code that retries: a fake source of time. */
@NullMarked
package dev.perdure.retry.testing;

import org.jspecify.annotations.NullMarked;
