// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Creates requests of one kind. Thread-safe.
 *
 * @param status the only valid status of a response; any other one invalidates the measurement
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

  /** Submits one task that no worker claims. */
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

  /** Reports one more item of an attempt that a remote worker holds. */
  static RequestSource updateProgress(int port, String id) {
    byte[] request =
        KeepAliveConnection.request(port, "PUT", "/task/" + id, "{\"epoch\":1,\"new_success\":1}");
    return new RequestSource("PUT /task/{id}", 202, () -> request);
  }

  void requireStatus(int received, KeepAliveConnection connection) {
    if (received != status) {
      throw new IllegalStateException(
          "%s returned %d instead of %d: %s".formatted(name, received, status, connection.body()));
    }
  }
}
