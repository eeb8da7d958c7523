// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import dev.perdure.policy.FieldError;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The addresses that webhooks may reach although they are not public: address ranges, by whatever
 * host name; and host names, whatever they resolve to. Immutable.
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

  /** The empty list. */
  public static AllowList none() {
    return NONE;
  }

  /**
   * Parses ranges and hosts that are separated by commas.
   *
   * @throws IllegalArgumentException that lists every wrong entry and how to correct it
   */
  public static AllowList parse(String text) {
    List<Cidr> ranges = new ArrayList<>();
    Set<String> hosts = new LinkedHashSet<>();
    List<String> problems = new ArrayList<>();
    String[] entries = text.isBlank() ? new String[0] : text.split(",", -1);
    if (entries.length > MAX_ENTRIES) {
      throw new IllegalArgumentException(
          "must have at most %d entries, not %d".formatted(MAX_ENTRIES, entries.length));
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
    String quoted = "'%s' ".formatted(FieldError.sanitize(entry));
    if (entry.isEmpty()) {
      throw new IllegalArgumentException("an entry is empty: remove the comma");
    }
    if (entry.contains("://") || entry.contains("@")) {
      throw new IllegalArgumentException(quoted + "is a URL: write only its host or a range");
    }
    if (entry.contains("*")) {
      throw new IllegalArgumentException(quoted + "has a wildcard: list each host, or the range");
    }
    if (entry.contains("/") || IpParser.parse(entry).isPresent()) {
      ranges.add(Cidr.parse(entry));
      return;
    }
    if (entry.contains(":")) {
      throw new IllegalArgumentException(
          quoted + "is neither an IPv6 address nor a host: leave out ports and brackets");
    }
    HostValidator.problemOf(entry)
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(quoted + problem);
            });
    hosts.add(entry.toLowerCase(Locale.ROOT));
  }

  boolean allows(IpAddress address) {
    return ranges.stream().anyMatch(range -> range.contains(address));
  }

  /** True when the list contains this exact address, not only a range around it. */
  boolean lists(IpAddress address) {
    return ranges.stream().anyMatch(range -> range.isOneAddress() && range.contains(address));
  }

  boolean lists(String host) {
    return hosts.contains(host);
  }
}
