// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.time.Duration;

/**
 * What a listener bears.
 *
 * @param maxBodyBytes the largest body
 * @param maxTotalBodyBytes the bodies of all requests at once; others are told to come again
 * @param maxHeaderBytes the largest request line and headers together
 * @param maxConnections so many at once; others wait to be accepted
 * @param maxConcurrentRequests so many at once; others are told to come again
 * @param readTimeout how long a request may take to arrive, from its first byte to its last
 * @param idleTimeout how long a connection may be silent
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
   * In memory the smallest things that JSON can say are thirty times as large as their text: so
   * half the heap is enough for all that is read at once.
   */
  private static final int HEAP_PER_BODY_BYTE = 64;

  public HttpLimits {
    if (maxTotalBodyBytes < maxBodyBytes) {
      throw new IllegalArgumentException("allBodyBytes: must be bodyBytes or more");
    }
  }

  /** How much of bodies a heap of this size bears at once; always one of the largest. */
  public static int maxTotalBodyBytes(int bodyBytes, long heap) {
    return Math.clamp(heap / HEAP_PER_BODY_BYTE, bodyBytes, Integer.MAX_VALUE);
  }
}
