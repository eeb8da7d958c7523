// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import dev.perdure.policy.FieldError;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What webhooks may reach although it is not public: ranges, whatever name led there; and hosts,
 * wherever their name leads. Immutable.
 */
public final class AllowList {

  private static final int MAX_ENTRIES = 1_000;
  private static final AllowList NONE = new AllowList(List.of(), Set.of());

  private final List<Cidr> ranges;
  private final Set<String> hosts;

  private AllowList(List<Cidr> ranges, Set<String> hosts) {
    this.ranges = List.copyOf(ranges);
    this.hosts = Set.copyOf(hosts);
  }

  /** Opens nothing. */
  public static AllowList none() {
    return NONE;
  }

  /**
   * The list of this text: ranges and hosts between commas.
   *
   * @throws IllegalArgumentException that names every wrong entry and what would be right
   */
  public static AllowList parse(String text) {
    List<Cidr> ranges = new ArrayList<>();
    Set<String> hosts = new LinkedHashSet<>();
    List<String> problems = new ArrayList<>();
    String[] entries = text.isBlank() ? new String[0] : text.split(",", -1);
    if (entries.length > MAX_ENTRIES) {
      throw new IllegalArgumentException(
          "has %d entries, at most %d are allowed".formatted(entries.length, MAX_ENTRIES));
    }
    for (String entry : entries) {
      try {
        parseEntry(entry.strip(), ranges, hosts);
      } catch (IllegalArgumentException e) {
        problems.add(e.getMessage());
      }
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
    return new AllowList(ranges, hosts);
  }

  private static void parseEntry(String entry, List<Cidr> ranges, Set<String> hosts) {
    String shown = "'%s' ".formatted(FieldError.sanitize(entry));
    if (entry.isEmpty()) {
      throw new IllegalArgumentException("an entry is empty: remove the comma");
    }
    if (entry.contains("://") || entry.contains("@")) {
      throw new IllegalArgumentException(shown + "is a URL: name its host or its range only");
    }
    if (entry.contains("*")) {
      throw new IllegalArgumentException(shown + "has a wildcard: name each host, or the range");
    }
    if (entry.contains("/") || IpParser.parse(entry).isPresent()) {
      ranges.add(Cidr.parse(entry));
      return;
    }
    if (entry.contains(":")) {
      throw new IllegalArgumentException(
          shown + "is neither an IPv6 address nor a host: leave out ports and brackets");
    }
    HostValidator.problemOf(entry)
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(shown + problem);
            });
    hosts.add(entry.toLowerCase(Locale.ROOT));
  }

  boolean allows(IpAddress address) {
    return ranges.stream().anyMatch(range -> range.contains(address));
  }

  /** True when this very address is named, not only a range that it lies in. */
  boolean lists(IpAddress address) {
    return ranges.stream().anyMatch(range -> range.isOneAddress() && range.contains(address));
  }

  boolean lists(String host) {
    return hosts.contains(host);
  }
}
