// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Converts JSON numbers to decimals of limited size. A tree may hold {@code 1e999999999}, and
 * arithmetic with such a number would exhaust the memory.
 */
final class JsonNumbers {

  private static final int MAX_BITS = 2_048;
  private static final int MAX_SCALE = 400;
  private static final int MAX_PLAIN_LENGTH = 20;

  private JsonNumbers() {}

  /** Returns the number; empty if the value is not a number, is not finite, or is too large. */
  static Optional<BigDecimal> of(JsonNode json) {
    if (!json.isNumber()) {
      return Optional.empty();
    }
    return switch (json.numberValue()) {
      case BigDecimal decimal -> Optional.of(decimal).filter(JsonNumbers::hasSafeSize);
      case BigInteger integer ->
          Optional.of(integer).filter(JsonNumbers::hasSafeSize).map(BigDecimal::new);
      case Number number ->
          Optional.of(number)
              .filter(it -> Double.isFinite(it.doubleValue()))
              .map(it -> new BigDecimal(it.toString()));
    };
  }

  private static boolean hasSafeSize(BigInteger integer) {
    return integer.bitLength() <= MAX_BITS;
  }

  private static boolean hasSafeSize(BigDecimal decimal) {
    return Math.abs((long) decimal.scale()) <= MAX_SCALE && hasSafeSize(decimal.unscaledValue());
  }

  static boolean isWhole(BigDecimal number) {
    return number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
  }

  /** Returns the number in plain notation; a number with very many digits is rounded. */
  static String text(BigDecimal number) {
    String plain = number.stripTrailingZeros().toPlainString();
    return plain.length() <= MAX_PLAIN_LENGTH
        ? plain
        : number.round(new MathContext(MAX_PLAIN_LENGTH)).toString();
  }
}
