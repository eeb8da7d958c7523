// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Mutates a JSON body: its values, its fields or its bytes. */
final class BodyMutations {

  /** Every scalar value. */
  private static final Pattern VALUE =
      Pattern.compile(
          "(?<=[:\\[,])\\s*(\"(?:[^\"\\\\]++|\\\\.)*+\"|[-\\d.eE+]+|true|false|null)(?=\\s*[,}\\]])");

  private static final Pattern FIELD = Pattern.compile("\"\\w+\"\\s*:");

  private BodyMutations() {}

  static byte[] mutated(byte[] body, SplittableRandom random) {
    String text = new String(body, StandardCharsets.UTF_8);
    return switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> replaceValues(body, 1 + random.nextInt(4), random);
      case 4 -> replaceAny(text, FIELD, "\"" + oddName(random) + "\":", random);
      case 5 -> addField(text, random);
      case 6 -> HostileInputs.json(random).getBytes(StandardCharsets.UTF_8);
      case 7 -> Arrays.copyOf(body, random.nextInt(body.length + 1));
      case 8 -> garble(body, random);
      default -> wrap(text, random).getBytes(StandardCharsets.UTF_8);
    };
  }

  /** Replaces each value of the body with every hostile input; random choice would find few. */
  static Stream<byte[]> each(byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    return VALUE
        .matcher(text)
        .results()
        .flatMap(match -> HostileInputs.everyJson().map(by -> splice(text, match, by)));
  }

  /**
   * Replaces several values, so that code that continues after the first problem meets the others.
   */
  private static byte[] replaceValues(byte[] body, int times, SplittableRandom random) {
    byte[] bytes = body;
    for (int i = 0; i < times; i++) {
      String text = new String(bytes, StandardCharsets.UTF_8);
      bytes = replaceAny(text, VALUE, HostileInputs.json(random), random);
    }
    return bytes;
  }

  private static byte[] replaceAny(String text, Pattern what, String by, SplittableRandom random) {
    List<MatchResult> matches = new ArrayList<>(what.matcher(text).results().toList());
    if (matches.isEmpty()) {
      return by.getBytes(StandardCharsets.UTF_8);
    }
    return splice(text, HostileInputs.any(matches, random), by);
  }

  private static byte[] splice(String text, MatchResult match, String by) {
    return (text.substring(0, match.start()) + by + text.substring(match.end()))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String oddName(SplittableRandom random) {
    return HostileInputs.any(
        List.of(
            "",
            "kinds",
            "Kind",
            "kind",
            "$ref",
            "a\\u0000",
            "\\ud800",
            "x".repeat(5_000),
            "__proto__"),
        random);
  }

  /** Adds a field, possibly a duplicate, to some object. */
  private static byte[] addField(String text, SplittableRandom random) {
    List<MatchResult> fields = FIELD.matcher(text).results().toList();
    String field =
        fields.isEmpty() || random.nextBoolean()
            ? "\"" + oddName(random) + "\":"
            : HostileInputs.any(fields, random).group();
    return replaceAny(
        text, Pattern.compile("\\{"), "{" + field + HostileInputs.json(random) + ",", random);
  }

  private static byte[] garble(byte[] body, SplittableRandom random) {
    byte[] bytes = body.clone();
    for (int i = 0; i < 3 && bytes.length > 0; i++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  private static String wrap(String text, SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> "[" + text + "]";
      case 1 -> "{\"tasks\": " + text + "}";
      case 2 -> text + text;
      case 3 -> "\ufeff" + text;
      default -> " \n\t".repeat(1_000) + text + "\u0000";
    };
  }
}
