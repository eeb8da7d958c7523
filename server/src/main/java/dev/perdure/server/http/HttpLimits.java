// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.time.Duration;

/**
 * The limits of a listener.
 *
 * @param maxBodyBytes the maximum size of one body
 * @param maxTotalBodyBytes the maximum size of all bodies in memory; further requests get a 503
 * @param maxHeaderBytes the maximum size of request line and headers together
 * @param maxConnections the maximum number of connections; further ones wait to be accepted
 * @param maxConcurrentRequests the maximum number of requests at once; further ones get a 503
 * @param readTimeout how long a request may take to arrive, from its first byte to its last
 * @param idleTimeout how long a connection may be idle
 */
public record HttpLimits(
    int maxBodyBytes,
    int maxTotalBodyBytes,
    int maxHeaderBytes,
    int maxConnections,
    int maxConcurrentRequests,
    Duration readTimeout,
    Duration idleTimeout) {

  public static final HttpLimits DEFAULT =
      new HttpLimits(
          2 * 1024 * 1024,
          16 * 1024 * 1024,
          16 * 1024,
          1_000,
          256,
          Duration.ofSeconds(10),
          Duration.ofSeconds(30));

  /**
   * Small JSON values take up to thirty times the size of their text in memory, so the bodies that
   * are read at once fit into half of the heap.
   */
  private static final int HEAP_PER_BODY_BYTE = 64;

  public HttpLimits {
    if (maxTotalBodyBytes < maxBodyBytes) {
      throw new IllegalArgumentException("maxTotalBodyBytes: must be at least maxBodyBytes");
    }
  }

  /** The size of all bodies that this heap can hold at once; at least one body of maximum size. */
  public static int maxTotalBodyBytes(int maxBodyBytes, long heap) {
    return Math.clamp(heap / HEAP_PER_BODY_BYTE, maxBodyBytes, Integer.MAX_VALUE);
  }
}
