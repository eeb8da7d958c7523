// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Says which addresses a webhook may be connected to: public ones, and what the operator named. It
 * judges addresses, never names: a name may lead elsewhere the next time it is looked up.
 *
 * <p>Two things stay shut under a wide entry of the allow-list. A cloud's metadata service hands
 * out credentials, so it opens only to an entry with its exact address. And an IPv6 address that
 * carries an IPv4 address opens only when the inner one is public or allowed as well: the gateway
 * that takes it apart connects to that one.
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

  /** What can be said against this URL before any look-up: only addresses can be judged. */
  public Optional<String> refusal(WebhookUrl url) {
    return url.literalAddress().flatMap(address -> refusal(url.host(), address));
  }

  /**
   * Why nobody may connect to this address, if so. Where a name led to it the address is not told:
   * the submitter could ask what names stand for inside.
   *
   * @param host the name that led to it, or the address itself as it was written
   */
  public Optional<String> refusal(String host, IpAddress address) {
    if (allowed.lists(address)) {
      return Optional.empty();
    }
    if (METADATA.contains(address)) {
      return Optional.of(
          "%s a cloud's metadata service: only an entry for exactly it opens it"
              .formatted(subject(host, address)));
    }
    Optional<IpAddress> inner = EmbeddedIpv4.extract(address);
    if (allowed.allows(address) || allowed.lists(host)) {
      return inner.flatMap(carried -> refusal(host, carried));
    }
    return SpecialRange.describe(address)
        .map(
            what ->
                "%s not public but %s: an operator can open it with WEBHOOK_ALLOW"
                    .formatted(subject(host, address), what));
  }

  private static String subject(String host, IpAddress address) {
    boolean named = IpParser.parse(host).isEmpty();
    return named ? host + " leads to what is" : address + " is";
  }
}
