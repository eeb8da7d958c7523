// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Makes up cron expressions that are always valid. */
final class RandomCron {

  private final Random random;

  RandomCron(long seed) {
    this.random = new Random(seed);
  }

  /** Days up to the 28th exist in every month, so every expression fires. */
  String next() {
    return String.join(
        " ",
        field(0, 59),
        field(0, 23),
        maybe(field(1, 28)),
        maybe(field(1, 12)),
        maybe(weekday()));
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  private String maybe(String field) {
    return random.nextInt(3) == 0 ? field : "*";
  }

  private String weekday() {
    return field(0, 6);
  }

  private String field(int min, int max) {
    return switch (random.nextInt(6)) {
      case 0 -> "*";
      case 1 -> "*/" + (1 + random.nextInt(max));
      case 2 -> range(min, max);
      case 3 -> range(min, max) + "/" + (1 + random.nextInt(Math.max(1, max / 3)));
      case 4 ->
          IntStream.rangeClosed(0, random.nextInt(4))
              .mapToObj(i -> random.nextBoolean() ? one(min, max) : range(min, max))
              .collect(Collectors.joining(","));
      default -> one(min, max);
    };
  }

  private String one(int min, int max) {
    return String.valueOf(min + random.nextInt(max - min + 1));
  }

  private String range(int min, int max) {
    int from = min + random.nextInt(max - min);
    return from + "-" + (from + 1 + random.nextInt(max - from));
  }
}
