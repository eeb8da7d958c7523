// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A kind of IPv6 address that contains an IPv4 address, to which a gateway connects. */
record EmbeddedIpv4(Cidr range, Function<IpAddress, IpAddress> inner) {

  private static final long INVERTED = 0xffff_ffffL;

  private static final List<EmbeddedIpv4> ALL =
      List.of(
          new EmbeddedIpv4(Cidr.parse("::/96"), ip -> IpAddress.v4(ip.low())),
          new EmbeddedIpv4(Cidr.parse("::ffff:0:0/96"), ip -> IpAddress.v4(ip.low())),
          new EmbeddedIpv4(Cidr.parse("64:ff9b::/96"), ip -> IpAddress.v4(ip.low())),
          new EmbeddedIpv4(Cidr.parse("64:ff9b:1::/48"), ip -> IpAddress.v4(ip.low())),
          new EmbeddedIpv4(Cidr.parse("2001::/32"), ip -> IpAddress.v4(ip.low() ^ INVERTED)),
          new EmbeddedIpv4(Cidr.parse("2002::/16"), ip -> IpAddress.v4(ip.high() >>> 16)));

  static Optional<IpAddress> extract(IpAddress address) {
    return ALL.stream()
        .filter(form -> form.range.contains(address))
        .map(form -> form.inner.apply(address))
        .findFirst();
  }
}
