/** Retries for {@link java.net.http.HttpClient}. */
@NullMarked
package dev.perdure.retry.http;

import org.jspecify.annotations.NullMarked;
