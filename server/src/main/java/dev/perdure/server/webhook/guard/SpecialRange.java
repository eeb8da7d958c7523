// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import java.util.List;
import java.util.Optional;

/**
 * A range that is not public. An IPv4 address is public unless one of these ranges contains it. An
 * IPv6 address must also be in the global unicast block, so that ranges assigned in the future are
 * refused until they are reviewed.
 */
record SpecialRange(Cidr range, String description) {

  private static final Cidr GLOBAL_UNICAST = Cidr.parse("2000::/3");

  private static final List<SpecialRange> ALL =
      List.of(
          of("0.0.0.0/8", "unspecified"),
          of("10.0.0.0/8", "private"),
          of("100.64.0.0/10", "carrier-grade NAT"),
          of("127.0.0.0/8", "loopback"),
          of("169.254.0.0/16", "link-local"),
          of("172.16.0.0/12", "private"),
          of("192.0.0.0/24", "protocol assignments"),
          of("192.0.2.0/24", "documentation"),
          of("192.88.99.0/24", "6to4 relay"),
          of("192.168.0.0/16", "private"),
          of("198.18.0.0/15", "benchmarking"),
          of("198.51.100.0/24", "documentation"),
          of("203.0.113.0/24", "documentation"),
          of("224.0.0.0/4", "multicast"),
          of("255.255.255.255/32", "broadcast"),
          of("240.0.0.0/4", "reserved"),
          of("::/128", "unspecified"),
          of("::1/128", "loopback"),
          of("::ffff:0:0/96", "IPv4-mapped IPv6"),
          of("::/96", "IPv4-compatible IPv6"),
          of("64:ff9b::/96", "NAT64"),
          of("64:ff9b:1::/48", "local NAT64"),
          of("2001::/32", "Teredo"),
          of("2001:2::/48", "benchmarking"),
          of("2001::/23", "protocol assignments"),
          of("2001:db8::/32", "documentation"),
          of("2002::/16", "6to4"),
          of("3fff::/20", "documentation"),
          of("fc00::/7", "unique local"),
          of("fe80::/10", "link-local"),
          of("fec0::/10", "site-local"),
          of("ff00::/8", "multicast"));

  private static SpecialRange of(String range, String description) {
    return new SpecialRange(Cidr.parse(range), description);
  }

  /** The kind of an address that is not public; empty for a public one. */
  static Optional<String> describe(IpAddress address) {
    Optional<String> name =
        ALL.stream()
            .filter(special -> special.range.contains(address))
            .map(SpecialRange::description)
            .findFirst();
    boolean public6 = !address.v6() || GLOBAL_UNICAST.contains(address);
    return public6 ? name : name.or(() -> Optional.of("not assigned"));
  }
}
