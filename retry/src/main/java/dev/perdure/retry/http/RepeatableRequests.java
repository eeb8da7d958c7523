// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.http;

import java.net.http.HttpRequest;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Knows which requests may be sent twice, and makes them so. */
final class RepeatableRequests {

  static final String KEY_HEADER = "Idempotency-Key";

  private static final Set<String> IDEMPOTENT =
      Set.of("GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PUT", "DELETE");

  /** Publishers of the JDK whose second flow of bytes may differ from the first. */
  private static final Set<String> NOT_REPLAYABLE =
      Set.of("PublisherAdapter", "AggregatePublisher");

  private final @Nullable Supplier<String> keySupplier;

  RepeatableRequests(@Nullable Supplier<String> keys) {
    this.keySupplier = keys;
  }

  static String newIdempotencyKey() {
    return UUID.randomUUID().toString();
  }

  /** The request as all its attempts send it. */
  HttpRequest withIdempotencyKey(HttpRequest request) {
    if (keySupplier == null
        || IDEMPOTENT.contains(request.method())
        || hasIdempotencyKey(request)) {
      return request;
    }
    return HttpRequest.newBuilder(request, (name, value) -> true)
        .header(KEY_HEADER, keySupplier.get())
        .build();
  }

  static boolean isRepeatable(HttpRequest request) {
    return hasReplayableBody(request)
        && (IDEMPOTENT.contains(request.method()) || hasIdempotencyKey(request));
  }

  /** The key that the server knows repetitions of the request by. */
  static Optional<String> idempotencyKey(HttpRequest request) {
    return request.headers().firstValue(KEY_HEADER);
  }

  private static boolean hasIdempotencyKey(HttpRequest request) {
    return idempotencyKey(request).isPresent();
  }

  /**
   * A body publisher begins anew for each subscriber; a Flow.Publisher that was made one by an
   * adapter need not, and among the parts of a body there may be such a one.
   */
  private static boolean hasReplayableBody(HttpRequest request) {
    return request
        .bodyPublisher()
        .map(publisher -> !NOT_REPLAYABLE.contains(publisher.getClass().getSimpleName()))
        .orElse(true);
  }
}
