// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import dev.perdure.policy.FieldError;
import java.util.Optional;
import java.util.regex.Pattern;

/** A range of addresses that share their first bits. */
record Cidr(IpAddress network, int bits) {

  private static final Pattern PREFIX = Pattern.compile("0|[1-9]\\d{0,2}");

  /**
   * Parses a range. A single address is a range of one.
   *
   * @throws IllegalArgumentException when it is not a range; the message says how to write one
   */
  static Cidr parse(String text) {
    int slash = text.indexOf('/');
    String base = slash < 0 ? text : text.substring(0, slash);
    IpAddress network =
        IpParser.parse(base)
            .orElseThrow(
                () -> wrong(text, "is not an address: write 10.1.2.3, fd00::1 or 10.0.0.0/8"));
    int bits = slash < 0 ? network.bitLength() : prefix(text, slash, network.bitLength());
    Cidr range = new Cidr(network.masked(bits), bits);
    if (!range.network.equals(network)) {
      throw wrong(text, "has bits set beyond its prefix: write " + range);
    }
    return range;
  }

  private static int prefix(String text, int slash, int width) {
    return Optional.of(text.substring(slash + 1))
        .filter(digits -> PREFIX.matcher(digits).matches())
        .map(Integer::parseInt)
        .filter(bits -> bits <= width)
        .orElseThrow(() -> wrong(text, "needs a prefix of 0 to %d bits".formatted(width)));
  }

  private static IllegalArgumentException wrong(String text, String message) {
    return new IllegalArgumentException("'%s' %s".formatted(FieldError.sanitize(text), message));
  }

  boolean contains(IpAddress address) {
    return address.masked(bits).equals(network);
  }

  boolean isOneAddress() {
    return bits == network.bitLength();
  }

  @Override
  public String toString() {
    return network + "/" + bits;
  }
}
