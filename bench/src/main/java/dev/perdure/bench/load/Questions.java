// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Requests of one kind, as many as are wanted; asked for by several threads.
 *
 * @param status what each must be answered with; figures of anything else would mean nothing
 */
record Questions(String name, int status, Supplier<byte[]> next) {

  static Questions health(int port) {
    byte[] request = Line.request(port, "GET", "/health", "");
    return new Questions("GET /health", 200, () -> request);
  }

  static Questions task(int port, String id) {
    byte[] request = Line.request(port, "GET", "/task/" + id, "");
    return new Questions("GET /task/{id}", 200, () -> request);
  }

  /** Submits one task that nobody does. */
  static Questions post(int port) {
    AtomicInteger number = new AtomicInteger();
    return new Questions(
        "POST /task",
        201,
        () ->
            Line.request(
                port,
                "POST",
                "/task",
                "{\"kind\":\"noop\",\"payload\":{\"number\":" + number.getAndIncrement() + "}}"));
  }

  /** Counts one more item of an attempt that a remote worker has. */
  static Questions put(int port, String id) {
    byte[] request = Line.request(port, "PUT", "/task/" + id, "{\"epoch\":1,\"new_success\":1}");
    return new Questions("PUT /task/{id}", 202, () -> request);
  }

  void requireRight(int answered, Line line) {
    if (answered != status) {
      throw new IllegalStateException(
          "%s was answered %d instead of %d: %s".formatted(name, answered, status, line.body()));
    }
  }
}
