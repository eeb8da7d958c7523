// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;

/**
 * The limits of a sender.
 *
 * @param connectTimeout limits the name look-up and, separately, connecting
 * @param concurrency concurrent calls, at most
 * @param perHost concurrent calls to one host, at most, so that a slow host leaves room for others
 * @param clock for a {@code Retry-After} date in a response without a {@code Date} header
 * @param monotonic elapsed time, which never goes back
 */
public record SenderOptions(
    Duration connectTimeout,
    int concurrency,
    int perHost,
    SSLSocketFactory tls,
    InstantSource clock,
    Supplier<Duration> monotonic) {

  /** The default timeout for connecting. */
  public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** The default timeout of a whole call. */
  public static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofSeconds(30);

  /** Bytes of a response that are read, at most. */
  public static final int MAX_RESPONSE_BYTES = 64 * 1024;

  private static final int DEFAULT_CONCURRENCY = 256;

  public SenderOptions {
    if (perHost < 1 || perHost > concurrency) {
      throw new IllegalArgumentException(
          "perHost must be from 1 to concurrency (%d), not %d".formatted(concurrency, perHost));
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

  /** Sets the total limit, and the limit per host to a quarter of it. */
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
