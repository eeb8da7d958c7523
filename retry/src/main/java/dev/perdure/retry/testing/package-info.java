/** For tests of code that retries: time that passes when it is told to. */
@NullMarked
package dev.perdure.retry.testing;

import org.jspecify.annotations.NullMarked;
