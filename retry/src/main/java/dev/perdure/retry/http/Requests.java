// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.http;

import java.net.http.HttpRequest;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Knows which requests may be sent twice, and makes them so. */
final class Requests {

  static final String KEY_HEADER = "Idempotency-Key";

  private static final Set<String> IDEMPOTENT =
      Set.of("GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PUT", "DELETE");

  /** Publishers of the JDK whose second flow of bytes may differ from the first. */
  private static final Set<String> UNSURE = Set.of("PublisherAdapter", "AggregatePublisher");

  private final @Nullable Supplier<String> keys;

  Requests(@Nullable Supplier<String> keys) {
    this.keys = keys;
  }

  static String newKey() {
    return UUID.randomUUID().toString();
  }

  /** The request as all its attempts send it. */
  HttpRequest prepared(HttpRequest request) {
    if (keys == null || IDEMPOTENT.contains(request.method()) || hasKey(request)) {
      return request;
    }
    return HttpRequest.newBuilder(request, (name, value) -> true)
        .header(KEY_HEADER, keys.get())
        .build();
  }

  static boolean isRepeatable(HttpRequest request) {
    return canBeSentAgain(request) && (IDEMPOTENT.contains(request.method()) || hasKey(request));
  }

  /** The key that the server knows repetitions of the request by. */
  static Optional<String> key(HttpRequest request) {
    return request.headers().firstValue(KEY_HEADER);
  }

  private static boolean hasKey(HttpRequest request) {
    return key(request).isPresent();
  }

  /**
   * A body publisher begins anew for each subscriber; a Flow.Publisher that was made one by an
   * adapter need not, and among the parts of a body there may be such a one.
   */
  private static boolean canBeSentAgain(HttpRequest request) {
    return request
        .bodyPublisher()
        .map(publisher -> !UNSURE.contains(publisher.getClass().getSimpleName()))
        .orElse(true);
  }
}
