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

/** Spoils a body of JSON: its values, its fields, or its very bytes. */
final class BodyMutations {

  /** Every value that holds no other, and every empty place where one could be. */
  private static final Pattern VALUE =
      Pattern.compile(
          "(?<=[:\\[,])\\s*(\"(?:[^\"\\\\]++|\\\\.)*+\"|[-\\d.eE+]+|true|false|null)(?=\\s*[,}\\]])");

  private static final Pattern FIELD = Pattern.compile("\"\\w+\"\\s*:");

  private BodyMutations() {}

  static byte[] mutated(byte[] body, SplittableRandom random) {
    String text = new String(body, StandardCharsets.UTF_8);
    return switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> revalued(body, 1 + random.nextInt(4), random);
      case 4 -> replaced(text, FIELD, "\"" + oddName(random) + "\":", random);
      case 5 -> added(text, random);
      case 6 -> HostileInputs.json(random).getBytes(StandardCharsets.UTF_8);
      case 7 -> Arrays.copyOf(body, random.nextInt(body.length + 1));
      case 8 -> garbled(body, random);
      default -> wrapped(text, random).getBytes(StandardCharsets.UTF_8);
    };
  }

  /** Every value of the body in its turn, replaced by everything hostile: chance finds few. */
  static Stream<byte[]> each(byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    return VALUE
        .matcher(text)
        .results()
        .flatMap(place -> HostileInputs.everyJson().map(by -> spliced(text, place, by)));
  }

  /** Several at once: whoever reads on after the first problem meets the others too. */
  private static byte[] revalued(byte[] body, int times, SplittableRandom random) {
    byte[] bytes = body;
    for (int i = 0; i < times; i++) {
      String text = new String(bytes, StandardCharsets.UTF_8);
      bytes = replaced(text, VALUE, HostileInputs.json(random), random);
    }
    return bytes;
  }

  private static byte[] replaced(String text, Pattern what, String by, SplittableRandom random) {
    List<MatchResult> places = new ArrayList<>(what.matcher(text).results().toList());
    if (places.isEmpty()) {
      return by.getBytes(StandardCharsets.UTF_8);
    }
    return spliced(text, HostileInputs.any(places, random), by);
  }

  private static byte[] spliced(String text, MatchResult place, String by) {
    return (text.substring(0, place.start()) + by + text.substring(place.end()))
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

  /** One more field, maybe one that is there already, in some object. */
  private static byte[] added(String text, SplittableRandom random) {
    List<MatchResult> fields = FIELD.matcher(text).results().toList();
    String field =
        fields.isEmpty() || random.nextBoolean()
            ? "\"" + oddName(random) + "\":"
            : HostileInputs.any(fields, random).group();
    return replaced(
        text, Pattern.compile("\\{"), "{" + field + HostileInputs.json(random) + ",", random);
  }

  private static byte[] garbled(byte[] body, SplittableRandom random) {
    byte[] bytes = body.clone();
    for (int i = 0; i < 3 && bytes.length > 0; i++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  private static String wrapped(String text, SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> "[" + text + "]";
      case 1 -> "{\"tasks\": " + text + "}";
      case 2 -> text + text;
      case 3 -> "\ufeff" + text;
      default -> " \n\t".repeat(1_000) + text + "\u0000";
    };
  }
}
