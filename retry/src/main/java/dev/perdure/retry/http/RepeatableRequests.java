// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.http;

import java.net.http.HttpRequest;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides which requests may be sent twice, and adds idempotency keys. */
final class RepeatableRequests {

  static final String KEY_HEADER = "Idempotency-Key";

  private static final Set<String> IDEMPOTENT =
      Set.of("GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PUT", "DELETE");

  /** Publishers of the JDK that may publish different bytes the second time. */
  private static final Set<String> NOT_REPLAYABLE =
      Set.of("PublisherAdapter", "AggregatePublisher");

  private final @Nullable Supplier<String> keySupplier;

  RepeatableRequests(@Nullable Supplier<String> keySupplier) {
    this.keySupplier = keySupplier;
  }

  static String newIdempotencyKey() {
    return UUID.randomUUID().toString();
  }

  /** Returns the request as all its attempts send it. */
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

  /** Returns the idempotency key of the request, if it has one. */
  static Optional<String> idempotencyKey(HttpRequest request) {
    return request.headers().firstValue(KEY_HEADER);
  }

  private static boolean hasIdempotencyKey(HttpRequest request) {
    return idempotencyKey(request).isPresent();
  }

  /**
   * Returns true if the body is the same each time it is sent. A body publisher starts again for
   * each subscriber. A Flow.Publisher that an adapter made into a body publisher may not, and a
   * concatenated body may contain one.
   */
  private static boolean hasReplayableBody(HttpRequest request) {
    return request
        .bodyPublisher()
        .map(publisher -> !NOT_REPLAYABLE.contains(publisher.getClass().getSimpleName()))
        .orElse(true);
  }
}
