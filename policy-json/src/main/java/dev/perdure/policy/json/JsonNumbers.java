// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * JSON numbers as decimals of a bounded size. A tree may hold {@code 1e999999999}, and arithmetic
 * with that takes all memory there is.
 */
final class JsonNumbers {

  private static final int MAX_BITS = 2_048;
  private static final int MAX_SCALE = 400;
  private static final int MAX_PLAIN_LENGTH = 20;

  private JsonNumbers() {}

  /** The number; nothing for what is none, is not finite, or has no sane size. */
  static Optional<BigDecimal> of(JsonNode json) {
    if (!json.isNumber()) {
      return Optional.empty();
    }
    return switch (json.numberValue()) {
      case BigDecimal decimal -> Optional.of(decimal).filter(JsonNumbers::isSane);
      case BigInteger integer ->
          Optional.of(integer).filter(JsonNumbers::isSane).map(BigDecimal::new);
      case Number number ->
          Optional.of(number)
              .filter(it -> Double.isFinite(it.doubleValue()))
              .map(it -> new BigDecimal(it.toString()));
    };
  }

  private static boolean isSane(BigInteger integer) {
    return integer.bitLength() <= MAX_BITS;
  }

  private static boolean isSane(BigDecimal decimal) {
    return Math.abs((long) decimal.scale()) <= MAX_SCALE && isSane(decimal.unscaledValue());
  }

  static boolean isWhole(BigDecimal number) {
    return number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
  }

  /** The number as somebody would write it, cut to its first digits when it has very many. */
  static String text(BigDecimal number) {
    String plain = number.stripTrailingZeros().toPlainString();
    return plain.length() <= MAX_PLAIN_LENGTH
        ? plain
        : number.round(new MathContext(MAX_PLAIN_LENGTH)).toString();
  }
}
