// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import dev.perdure.server.webhook.guard.AddressGuard;
import dev.perdure.server.webhook.guard.AllowList;
import dev.perdure.server.webhook.guard.WebhookUrl;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Senders and requests for tests. */
final class TestSenders {

  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  /** Longer than any test should take, so that the timeout does not end a call. */
  static final Duration LONG = Duration.ofSeconds(30);

  /** Resolves no name. */
  static final NameResolver NO_NAMES =
      host -> {
        throw new UnknownHostException(host);
      };

  private TestSenders() {}

  static SenderOptions options() {
    return SenderOptions.of(InstantSource.fixed(NOW), () -> Duration.ofNanos(System.nanoTime()));
  }

  static GuardedHttpSender allowing(String allowed, NameResolver resolver, SenderOptions options) {
    return GuardedHttpSender.create(new AddressGuard(AllowList.parse(allowed)), resolver, options);
  }

  /** May call this machine, by address only. */
  static GuardedHttpSender local() {
    return allowing("127.0.0.0/8, ::1", NO_NAMES, options());
  }

  static NameResolver resolvingTo(String... addresses) {
    return host -> {
      List<InetAddress> found = new ArrayList<>();
      for (String address : addresses) {
        found.addAll(List.of(InetAddress.getAllByName(address)));
      }
      return found;
    };
  }

  static WebhookRequest get(String url) {
    return get(url, LONG);
  }

  static WebhookRequest get(String url, Duration timeout) {
    return new WebhookRequest(HttpMethod.GET, WebhookUrl.parse(url), Map.of(), null, timeout);
  }

  static WebhookRequest post(String url, String body, Duration timeout) {
    return new WebhookRequest(HttpMethod.POST, WebhookUrl.parse(url), Map.of(), body, timeout);
  }
}
