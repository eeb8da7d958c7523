// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import java.util.Optional;
import java.util.regex.Pattern;

/** Checks host names. */
final class HostValidator {

  private static final int MAX_LENGTH = 253;
  private static final Pattern LABEL =
      Pattern.compile("[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?", Pattern.CASE_INSENSITIVE);

  /** Some resolvers read a name whose last label is a number as an address. */
  private static final Pattern NUMBER =
      Pattern.compile("\\d+|0x[0-9a-f]*", Pattern.CASE_INSENSITIVE);

  private HostValidator() {}

  /** The problem with this host name; empty when it is valid. A plain IPv4 address is valid. */
  static Optional<String> problemOf(String host) {
    if (host.isEmpty()) {
      return Optional.of("has no host");
    }
    if (!host.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      return Optional.of("has a host that is not plain ASCII: use its punycode form (xn--…)");
    }
    if (host.endsWith(".")) {
      return Optional.of("has a host that ends in a dot: remove the dot");
    }
    if (host.length() > MAX_LENGTH) {
      return Optional.of("has a host of more than %d characters".formatted(MAX_LENGTH));
    }
    String[] labels = host.split("\\.", -1);
    if (NUMBER.matcher(labels[labels.length - 1]).matches()) {
      return IpParser.parseV4(host).isPresent()
          ? Optional.empty()
          : Optional.of("has an IPv4 address in an unusual form: write it as 192.0.2.1");
    }
    for (String label : labels) {
      if (!LABEL.matcher(label).matches()) {
        return Optional.of(
            "has an invalid host name: use letters, digits, - and _, separated by dots");
      }
    }
    return Optional.empty();
  }
}
