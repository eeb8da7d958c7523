// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Builds a {@link PerdureClient}. */
public final class PerdureClientBuilder {

  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

  private static final Pattern API_KEY = Pattern.compile("[!-~]{1,1000}");

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

  /** The API key; null to send none. */
  public PerdureClientBuilder apiKey(@Nullable String value) {
    if (value != null && !API_KEY.matcher(value).matches()) {
      // Without the key, which must not reach a log.
      throw new IllegalArgumentException(
          "apiKey: must be 1 to 1000 printable ASCII characters, without spaces or line breaks");
    }
    this.apiKey = value;
    return this;
  }

  /** How long each request may take, including the whole response; 60 seconds unless set. */
  public PerdureClientBuilder timeout(Duration value) {
    return timeout(() -> value);
  }

  /** A timeout that changes, such as the rest of an overall limit; asked before each request. */
  public PerdureClientBuilder timeout(Supplier<Duration> value) {
    this.timeout = value;
    return this;
  }

  /**
   * Creates the idempotency key of {@link PerdureClient#submit(TaskRequest...)}; a random UUID
   * unless set.
   */
  public PerdureClientBuilder idempotencyKeys(Supplier<String> value) {
    this.idempotencyKeys = value;
    return this;
  }

  public PerdureClient build() {
    return new PerdureClient(new HttpTransport(url, apiKey, timeout), idempotencyKeys);
  }
}
