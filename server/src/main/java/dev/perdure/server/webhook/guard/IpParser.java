// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses addresses in one plain form: four decimal numbers without leading zeros, or IPv6 without a
 * zone. Forms that other parsers accept too (octal, hexadecimal, fewer numbers) are not addresses
 * here: an attacker gets past a guard when two parsers read one text differently.
 */
final class IpParser {

  private static final String NUMBER = "(0|[1-9]\\d{0,2})";
  private static final Pattern V4 =
      Pattern.compile(String.join("\\.", NUMBER, NUMBER, NUMBER, NUMBER));
  private static final Pattern GROUP = Pattern.compile("[0-9a-fA-F]{1,4}");
  private static final int GROUPS = 8;
  private static final int MAX_V6_LENGTH = 45;

  private IpParser() {}

  static Optional<IpAddress> parse(String text) {
    return text.contains(":") ? parseV6(text) : parseV4(text);
  }

  static Optional<IpAddress> parseV4(String text) {
    Matcher matcher = V4.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long bits = 0;
    for (int i = 1; i <= 4; i++) {
      int number = Integer.parseInt(matcher.group(i));
      if (number > 255) {
        return Optional.empty();
      }
      bits = (bits << 8) | number;
    }
    return Optional.of(IpAddress.v4(bits));
  }

  static Optional<IpAddress> parseV6(String text) {
    if (text.length() > MAX_V6_LENGTH) {
      return Optional.empty();
    }
    // A second "::" leaves an empty group, which is invalid.
    int gap = text.indexOf("::");
    String before = gap < 0 ? text : text.substring(0, gap);
    String after = gap < 0 ? "" : text.substring(gap + 2);
    return groups(before, gap < 0)
        .flatMap(head -> groups(after, true).flatMap(tail -> joined(head, tail, gap >= 0)));
  }

  /** The 16-bit groups of this part. At the end of the address they may be written as IPv4. */
  private static Optional<List<Integer>> groups(String part, boolean atEnd) {
    List<Integer> groups = new ArrayList<>();
    if (part.isEmpty()) {
      return Optional.of(groups);
    }
    String[] words = part.split(":", -1);
    for (int i = 0; i < words.length; i++) {
      Optional<IpAddress> dotted =
          atEnd && i == words.length - 1 ? parseV4(words[i]) : Optional.empty();
      if (dotted.isPresent()) {
        groups.add((int) (dotted.get().low() >>> 16));
        groups.add((int) (dotted.get().low() & 0xffff));
      } else if (GROUP.matcher(words[i]).matches()) {
        groups.add(Integer.parseInt(words[i], 16));
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(groups);
  }

  private static Optional<IpAddress> joined(List<Integer> head, List<Integer> tail, boolean gap) {
    int missing = GROUPS - head.size() - tail.size();
    if (gap ? missing < 1 : missing != 0) {
      return Optional.empty();
    }
    List<Integer> all = new ArrayList<>(head);
    for (int i = 0; i < missing; i++) {
      all.add(0);
    }
    all.addAll(tail);
    return Optional.of(new IpAddress(true, half(all.subList(0, 4)), half(all.subList(4, GROUPS))));
  }

  private static long half(List<Integer> groups) {
    long bits = 0;
    for (int group : groups) {
      bits = (bits << 16) | group;
    }
    return bits;
  }
}
