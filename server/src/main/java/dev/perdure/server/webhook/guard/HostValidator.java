// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import java.util.Optional;
import java.util.regex.Pattern;

/** What a host's name may look like. */
final class HostValidator {

  private static final int MAX_LENGTH = 253;
  private static final Pattern LABEL =
      Pattern.compile("[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?", Pattern.CASE_INSENSITIVE);

  /** A resolver may read a name whose last label is a number as an address. */
  private static final Pattern NUMBER =
      Pattern.compile("\\d+|0x[0-9a-f]*", Pattern.CASE_INSENSITIVE);

  private HostValidator() {}

  /** What is wrong with this name, if anything; a plain IPv4 address is right. */
  static Optional<String> problemOf(String host) {
    if (host.isEmpty()) {
      return Optional.of("has no host");
    }
    if (!host.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      return Optional.of("has a host that is not plain ASCII: write it in its xn-- form");
    }
    if (host.endsWith(".")) {
      return Optional.of("has a host that ends in a dot: leave it out");
    }
    if (host.length() > MAX_LENGTH) {
      return Optional.of("has a host of more than %d characters".formatted(MAX_LENGTH));
    }
    String[] labels = host.split("\\.", -1);
    if (NUMBER.matcher(labels[labels.length - 1]).matches()) {
      return IpParser.parseV4(host).isPresent()
          ? Optional.empty()
          : Optional.of("has an address in an odd spelling: write it as 192.0.2.1");
    }
    for (String label : labels) {
      if (!LABEL.matcher(label).matches()) {
        return Optional.of("has a host that is no name: letters, digits, - and _ between dots");
      }
    }
    return Optional.empty();
  }
}
