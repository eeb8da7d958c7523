// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.time.Duration;

/**
 * What a listener bears.
 *
 * @param bodyBytes the largest body
 * @param allBodyBytes the bodies of all requests at once; others are told to come again
 * @param headerBytes the largest request line and headers together
 * @param connections so many at once; others wait to be accepted
 * @param requests so many at once; others are told to come again
 * @param readTime how long a request may take to arrive, from its first byte to its last
 * @param idleTime how long a connection may be silent
 */
public record HttpLimits(
    int bodyBytes,
    int allBodyBytes,
    int headerBytes,
    int connections,
    int requests,
    Duration readTime,
    Duration idleTime) {

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
    if (allBodyBytes < bodyBytes) {
      throw new IllegalArgumentException("allBodyBytes: must be bodyBytes or more");
    }
  }

  /** How much of bodies a heap of this size bears at once; always one of the largest. */
  public static int allBodyBytes(int bodyBytes, long heap) {
    return Math.clamp(heap / HEAP_PER_BODY_BYTE, bodyBytes, Integer.MAX_VALUE);
  }
}
