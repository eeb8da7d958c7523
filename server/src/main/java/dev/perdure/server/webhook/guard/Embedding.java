// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A form of IPv6 address that a gateway takes apart again, and the IPv4 address inside. */
record Embedding(Cidr range, Function<Ip, Ip> inner) {

  private static final long INVERTED = 0xffff_ffffL;

  private static final List<Embedding> ALL =
      List.of(
          new Embedding(Cidr.parse("::/96"), ip -> Ip.v4(ip.low())),
          new Embedding(Cidr.parse("::ffff:0:0/96"), ip -> Ip.v4(ip.low())),
          new Embedding(Cidr.parse("64:ff9b::/96"), ip -> Ip.v4(ip.low())),
          new Embedding(Cidr.parse("64:ff9b:1::/48"), ip -> Ip.v4(ip.low())),
          new Embedding(Cidr.parse("2001::/32"), ip -> Ip.v4(ip.low() ^ INVERTED)),
          new Embedding(Cidr.parse("2002::/16"), ip -> Ip.v4(ip.high() >>> 16)));

  static Optional<Ip> inside(Ip address) {
    return ALL.stream()
        .filter(form -> form.range.contains(address))
        .map(form -> form.inner.apply(address))
        .findFirst();
  }
}
