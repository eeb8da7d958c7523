// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Builds a {@link PerdureClient}. */
public final class PerdureClientBuilder {

  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

  private final URI url;
  private @Nullable String apiKey;
  private Supplier<Duration> timeout = () -> DEFAULT_TIMEOUT;
  private Supplier<String> idempotencyKeys = () -> UUID.randomUUID().toString();

  PerdureClientBuilder(URI url) {
    String scheme = String.valueOf(url.getScheme());
    boolean plain =
        url.getRawQuery() == null && url.getRawFragment() == null && url.getUserInfo() == null;
    if (!(scheme.equals("http") || scheme.equals("https")) || url.getHost() == null || !plain) {
      throw new IllegalArgumentException(
          "url: must be like http://127.0.0.1:8085, without user, query and fragment");
    }
    this.url = url;
  }

  /** The key that the server asks for; null to send none. */
  public PerdureClientBuilder apiKey(@Nullable String value) {
    this.apiKey = value;
    return this;
  }

  /** How long each request may take, its whole answer included; 60 seconds unless set. */
  public PerdureClientBuilder timeout(Duration value) {
    return timeout(() -> value);
  }

  /** A timeout that changes, such as the rest of an overall limit; asked before each request. */
  public PerdureClientBuilder timeout(Supplier<Duration> value) {
    this.timeout = value;
    return this;
  }

  /** Where the keys of submissions without a key of their own come from; random unless set. */
  public PerdureClientBuilder idempotencyKeys(Supplier<String> value) {
    this.idempotencyKeys = value;
    return this;
  }

  public PerdureClient build() {
    return new PerdureClient(new HttpTransport(url, apiKey, timeout), idempotencyKeys);
  }
}
