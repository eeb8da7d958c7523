// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;

/**
 * The limits of a sender.
 *
 * @param connectTimeout what the look-up of a name may take, and what connecting may take
 * @param concurrency how many calls are under way at once
 * @param perHost how many of them to one host, so that a slow one leaves room to others
 * @param clock reads dates in answers that come without the callee's own
 * @param monotonic time that never goes back
 */
public record SenderOptions(
    Duration connectTimeout,
    int concurrency,
    int perHost,
    SSLSocketFactory tls,
    InstantSource clock,
    Supplier<Duration> monotonic) {

  /** What connecting may take unless somebody says otherwise. */
  public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** What a call may take in all unless its action says otherwise. */
  public static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofSeconds(30);

  /** The most bytes of an answer that are read. */
  public static final int MAX_RESPONSE_BYTES = 64 * 1024;

  private static final int DEFAULT_CONCURRENCY = 256;

  public SenderOptions {
    if (perHost < 1 || perHost > concurrency) {
      throw new IllegalArgumentException(
          "must be 1 ≤ perHost ≤ concurrency, not %d and %d".formatted(perHost, concurrency));
    }
    if (connectTimeout.isNegative() || connectTimeout.isZero()) {
      throw new IllegalArgumentException("connectTimeout must be more than 0");
    }
  }

  /** The defaults. */
  public static SenderOptions of(InstantSource clock, Supplier<Duration> monotonic) {
    SSLSocketFactory tls = (SSLSocketFactory) SSLSocketFactory.getDefault();
    return new SenderOptions(DEFAULT_CONNECT_TIMEOUT, 1, 1, tls, clock, monotonic)
        .withConcurrency(DEFAULT_CONCURRENCY);
  }

  /** So many at once, and at most a quarter of them to one host. */
  public SenderOptions withConcurrency(int value) {
    return new SenderOptions(connectTimeout, value, Math.max(1, value / 4), tls, clock, monotonic);
  }

  public SenderOptions withPerHost(int value) {
    return new SenderOptions(connectTimeout, concurrency, value, tls, clock, monotonic);
  }

  public SenderOptions withConnectTimeout(Duration value) {
    return new SenderOptions(value, concurrency, perHost, tls, clock, monotonic);
  }

  public SenderOptions withTls(SSLSocketFactory value) {
    return new SenderOptions(connectTimeout, concurrency, perHost, value, clock, monotonic);
  }
}
