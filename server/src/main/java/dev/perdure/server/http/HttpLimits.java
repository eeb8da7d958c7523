// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.time.Duration;

/**
 * What a listener bears.
 *
 * @param bodyBytes the largest body
 * @param headerBytes the largest request line and headers together
 * @param connections so many at once; others wait to be accepted
 * @param requests so many at once; others are told to come again
 * @param readTime how long a request may take to arrive, from its first byte to its last
 * @param idleTime how long a connection may be silent
 */
public record HttpLimits(
    int bodyBytes,
    int headerBytes,
    int connections,
    int requests,
    Duration readTime,
    Duration idleTime) {

  public static final HttpLimits DEFAULT =
      new HttpLimits(
          2 * 1024 * 1024, 16 * 1024, 1_000, 256, Duration.ofSeconds(10), Duration.ofSeconds(30));
}
