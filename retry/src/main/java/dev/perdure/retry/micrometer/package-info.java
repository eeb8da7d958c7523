/** Retries as Micrometer meters; the only package that needs Micrometer. For everybody. */
@NullMarked
package dev.perdure.retry.micrometer;

import org.jspecify.annotations.NullMarked;
