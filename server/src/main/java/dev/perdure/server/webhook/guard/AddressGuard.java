// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides which addresses webhooks may connect to: public ones, and those on the operator's
 * allow-list. It checks addresses, never host names: a name may resolve to another address the next
 * time.
 *
 * <p>Two kinds of address stay closed under a wide entry of the allow-list. A cloud metadata
 * service hands out credentials, so only an entry with its exact address opens it. And an IPv6
 * address with an embedded IPv4 address is open only when the IPv4 address is public or allowed as
 * well, because a gateway connects to that one.
 */
public final class AddressGuard {

  private static final Set<IpAddress> METADATA =
      Stream.of(
              "169.254.169.254",
              "169.254.169.123",
              "169.254.170.2",
              "169.254.170.23",
              "100.100.100.200",
              "168.63.129.16",
              "192.0.0.192",
              "fd00:ec2::254",
              "fd00:ec2::23",
              "fd20:ce::254")
          .map(text -> IpParser.parse(text).orElseThrow())
          .collect(Collectors.toUnmodifiableSet());

  private final AllowList allowed;

  public AddressGuard(AllowList allowed) {
    this.allowed = allowed;
  }

  /** Why this URL is refused, as far as that is known without a name look-up. */
  public Optional<String> refusal(WebhookUrl url) {
    return url.literalAddress().flatMap(address -> refusal(url.host(), address));
  }

  /**
   * Why this address is refused; empty when it is allowed. When a name resolved to the address, the
   * message does not contain it: submitters could use that to explore the internal network.
   *
   * @param host the name that resolved to the address, or the address as it was written
   */
  public Optional<String> refusal(String host, IpAddress address) {
    if (allowed.lists(address)) {
      return Optional.empty();
    }
    if (METADATA.contains(address)) {
      return Optional.of(
          "%s a cloud metadata service: an operator can allow it with its exact address in WEBHOOK_ALLOW"
              .formatted(subject(host, address)));
    }
    Optional<IpAddress> inner = EmbeddedIpv4.extract(address);
    if (allowed.allows(address) || allowed.lists(host)) {
      return inner.flatMap(embedded -> refusal(host, embedded));
    }
    return SpecialRange.describe(address)
        .map(
            description ->
                "%s a non-public address (%s): an operator can allow it with WEBHOOK_ALLOW"
                    .formatted(subject(host, address), description));
  }

  private static String subject(String host, IpAddress address) {
    boolean named = IpParser.parse(host).isEmpty();
    return named ? host + " resolves to" : address + " is";
  }
}
