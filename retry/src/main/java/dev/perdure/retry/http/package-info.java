/** Retries for {@link java.net.http.HttpClient}. For everybody. */
@NullMarked
package dev.perdure.retry.http;

import org.jspecify.annotations.NullMarked;
