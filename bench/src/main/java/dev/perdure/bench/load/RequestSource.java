// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Requests of one kind, as many as are wanted; asked for by several threads.
 *
 * @param status what each must be answered with; figures of anything else would mean nothing
 */
record RequestSource(String name, int status, Supplier<byte[]> next) {

  static RequestSource getHealth(int port) {
    byte[] request = KeepAliveConnection.request(port, "GET", "/health", "");
    return new RequestSource("GET /health", 200, () -> request);
  }

  static RequestSource getTask(int port, String id) {
    byte[] request = KeepAliveConnection.request(port, "GET", "/task/" + id, "");
    return new RequestSource("GET /task/{id}", 200, () -> request);
  }

  /** Submits one task that nobody does. */
  static RequestSource submitTask(int port) {
    AtomicInteger number = new AtomicInteger();
    return new RequestSource(
        "POST /task",
        201,
        () ->
            KeepAliveConnection.request(
                port,
                "POST",
                "/task",
                "{\"kind\":\"noop\",\"payload\":{\"number\":" + number.getAndIncrement() + "}}"));
  }

  /** Counts one more item of an attempt that a remote worker has. */
  static RequestSource updateProgress(int port, String id) {
    byte[] request =
        KeepAliveConnection.request(port, "PUT", "/task/" + id, "{\"epoch\":1,\"new_success\":1}");
    return new RequestSource("PUT /task/{id}", 202, () -> request);
  }

  void requireStatus(int answered, KeepAliveConnection connection) {
    if (answered != status) {
      throw new IllegalStateException(
          "%s was answered %d instead of %d: %s"
              .formatted(name, answered, status, connection.body()));
    }
  }
}
