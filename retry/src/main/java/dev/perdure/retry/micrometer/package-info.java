/** Metrics of retries with Micrometer; the only package that needs Micrometer. */
@NullMarked
package dev.perdure.retry.micrometer;

import org.jspecify.annotations.NullMarked;
