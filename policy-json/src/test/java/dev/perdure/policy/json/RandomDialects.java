// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Generates valid documents in every dialect from a seed, with the expected delays. The formulas
 * are written again from the descriptions of the dialects, with exact decimals; they share no code
 * with the reader.
 */
final class RandomDialects {

  private static final BigDecimal DEFAULT_MAX_DELAY = BigDecimal.valueOf(3650L * 86_400_000L);

  private final Random random;
  private final boolean camel;

  private RandomDialects(long seed) {
    random = new Random(seed);
    camel = random.nextBoolean();
  }

  /** The bounds of a delay, in milliseconds. */
  record Bounds(BigDecimal earliest, BigDecimal latest) {

    static Bounds exactly(BigDecimal millis) {
      BigDecimal capped = millis.min(DEFAULT_MAX_DELAY);
      return new Bounds(capped, capped);
    }
  }

  /**
   * A document.
   *
   * @param formula the expected delay after attempt n; null if there is no retry
   */
  record Document(String text, LongFunction<@Nullable Bounds> formula) {}

  static Document of(long seed) {
    RandomDialects dialects = new RandomDialects(seed);
    return switch ((int) (seed % 7)) {
      case 0 -> dialects.ladder();
      case 1 -> dialects.task();
      case 2 -> dialects.immediate();
      case 3 -> dialects.exponential();
      case 4 -> dialects.fixed();
      case 5 -> dialects.custom();
      default -> dialects.queue();
    };
  }

  private Document ladder() {
    List<String> steps = new ArrayList<>();
    List<BigDecimal> delays = new ArrayList<>();
    int count = 1 + random.nextInt(6);
    boolean endless = random.nextBoolean();
    for (int i = 0; i < count; i++) {
      int times = endless && i == count - 1 ? 0 : 1 + random.nextInt(5);
      BigDecimal minutes = decimal(600);
      steps.add("{\"count\": %d, \"delay_minutes\": %s}".formatted(times, minutes));
      delays.addAll(Collections.nCopies(Math.max(1, times), millis(minutes, 60_000)));
    }
    return new Document(
        steps.toString(),
        n ->
            n < delays.size()
                ? Bounds.exactly(delays.get((int) n))
                : endless ? Bounds.exactly(delays.getLast()) : null);
  }

  private Document task() {
    int retries = 1 + random.nextInt(100);
    BigDecimal initial = random.nextBoolean() ? BigDecimal.valueOf(5) : decimal(200);
    BigDecimal multiplier = random.nextBoolean() ? BigDecimal.valueOf(2) : multiplier();
    BigDecimal cap = random.nextBoolean() ? BigDecimal.valueOf(300) : initial.add(decimal(9_999));
    List<String> fields = new ArrayList<>(List.of("\"max_retries\": " + retries));
    addUnless(initial, 5, "initial_delay_secs", fields);
    addUnless(multiplier, 2, "backoff_multiplier", fields);
    addUnless(cap, 300, "max_delay_secs", fields);
    return new Document(
        object(fields),
        n ->
            n >= retries
                ? null
                : exponentialDelay(millis(initial, 1_000), multiplier, n, millis(cap, 1_000)));
  }

  private void addUnless(BigDecimal value, long defaultValue, String name, List<String> fields) {
    if (value.compareTo(BigDecimal.valueOf(defaultValue)) != 0 || random.nextBoolean()) {
      fields.add("\"%s\": %s".formatted(name, value));
    }
  }

  private Document immediate() {
    int retries = 1 + random.nextInt(9);
    List<String> fields = strategy("immediate", retries);
    fields.add(field("initial_delay_seconds", "0"));
    return new Document(object(fields), n -> n >= retries ? null : Bounds.exactly(BigDecimal.ZERO));
  }

  private Document exponential() {
    int retries = 1 + random.nextInt(100);
    BigDecimal initial = random.nextInt(5) == 0 ? BigDecimal.ZERO : decimal(5_000);
    BigDecimal multiplier = multiplier();
    BigDecimal cap = random.nextBoolean() ? null : initial.add(decimal(100_000));
    List<String> fields = strategy("exponential_backoff", retries);
    fields.add(field("initial_delay_seconds", initial.toString()));
    fields.add(field("multiplier", multiplier.toString()));
    fields.add(field("max_delay_seconds", String.valueOf(cap)));
    BigDecimal maxDelay = cap == null ? DEFAULT_MAX_DELAY : millis(cap, 1_000);
    return new Document(
        object(fields),
        n ->
            n >= retries
                ? null
                : exponentialDelay(millis(initial, 1_000), multiplier, n, maxDelay));
  }

  private Document fixed() {
    int retries = 1 + random.nextInt(9);
    BigDecimal delay = decimal(100_000);
    List<String> fields = strategy("fixed_delay", retries);
    fields.add(field("delay_seconds", delay.toString()));
    return new Document(
        object(fields), n -> n >= retries ? null : Bounds.exactly(millis(delay, 1_000)));
  }

  private Document custom() {
    int retries = 1 + random.nextInt(9);
    List<String> rows = new ArrayList<>();
    List<BigDecimal> delays = new ArrayList<>();
    int count = 1 + random.nextInt(6);
    for (int i = 1; i <= count; i++) {
      BigDecimal delay = decimal(30);
      int unit = random.nextInt(4);
      String name = List.of("days", "hours", "minutes", "seconds").get(unit);
      delays.add(millis(delay, List.of(86_400_000, 3_600_000, 60_000, 1_000).get(unit)));
      rows.add("{\"attempt\": %d, %s}".formatted(i, field("delay_" + name, delay.toString())));
    }
    Collections.shuffle(rows, random);
    List<String> fields = strategy("custom", retries);
    fields.add(field("custom_schedule", "{\"attempts\": %s}".formatted(rows)));
    return new Document(
        object(fields),
        n ->
            n >= retries
                ? null
                : Bounds.exactly(delays.get((int) Math.min(n, delays.size() - 1L))));
  }

  private Document queue() {
    Integer retries = random.nextBoolean() ? null : Integer.valueOf(1 + random.nextInt(80));
    return new Document(
        "{\"preset\": \"queue\", \"max_retries\": %s}".formatted(retries),
        n -> {
          if (retries != null && n >= retries) {
            return null;
          }
          long base = n >= 6 ? 60_000 : 1_000L << n;
          return new Bounds(
              BigDecimal.valueOf(base * 3 / 4), BigDecimal.valueOf(Math.min(60_000, base * 5 / 4)));
        });
  }

  private static Bounds exponentialDelay(
      BigDecimal initial, BigDecimal multiplier, long n, BigDecimal maxDelay) {
    BigDecimal delay = initial;
    for (long i = 0; i < n && delay.compareTo(maxDelay) < 0 && delay.signum() > 0; i++) {
      if (multiplier.compareTo(BigDecimal.ONE) == 0) {
        break;
      }
      delay = delay.multiply(multiplier);
    }
    return Bounds.exactly(delay.min(maxDelay));
  }

  private List<String> strategy(String name, int retries) {
    List<String> fields = new ArrayList<>();
    fields.add("\"%s\": \"%s\"".formatted(camel ? "strategy" : "retry_strategy", name));
    if (retries != 3 || random.nextBoolean()) {
      fields.add(field("max_attempts", Integer.toString(retries)));
    }
    if (random.nextBoolean()) {
      fields.add("\"enabled\": true");
    }
    return fields;
  }

  private String field(String name, String value) {
    String[] words = name.split("_", -1);
    StringBuilder written = new StringBuilder(words[0]);
    for (int i = 1; i < words.length; i++) {
      String word = words[i];
      written.append(
          camel ? Character.toUpperCase(word.charAt(0)) + word.substring(1) : "_" + word);
    }
    return "\"%s\": %s".formatted(written, value);
  }

  private String object(List<String> fields) {
    Collections.shuffle(fields, random);
    return "{" + String.join(", ", fields) + "}";
  }

  /** Returns a number from 1 to {@code max} with up to three decimals. */
  private BigDecimal decimal(int max) {
    int scale = random.nextInt(4);
    long unit = (long) Math.pow(10, scale);
    return BigDecimal.valueOf(random.nextLong(unit, max * unit + 1), scale);
  }

  private BigDecimal multiplier() {
    return BigDecimal.valueOf(random.nextLong(100, 500), 2);
  }

  private static BigDecimal millis(BigDecimal value, long unit) {
    return value.multiply(BigDecimal.valueOf(unit));
  }
}
