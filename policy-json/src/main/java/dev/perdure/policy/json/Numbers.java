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
final class Numbers {

  private static final int MOST_BITS = 2_048;
  private static final int MOST_SCALE = 400;
  private static final int LONGEST_PLAIN = 20;

  private Numbers() {}

  /** The number; nothing for what is none, is not finite, or has no sane size. */
  static Optional<BigDecimal> of(JsonNode json) {
    if (!json.isNumber()) {
      return Optional.empty();
    }
    return switch (json.numberValue()) {
      case BigDecimal decimal -> Optional.of(decimal).filter(Numbers::isSane);
      case BigInteger integer -> Optional.of(integer).filter(Numbers::isSane).map(BigDecimal::new);
      case Number number ->
          Optional.of(number)
              .filter(it -> Double.isFinite(it.doubleValue()))
              .map(it -> new BigDecimal(it.toString()));
    };
  }

  private static boolean isSane(BigInteger integer) {
    return integer.bitLength() <= MOST_BITS;
  }

  private static boolean isSane(BigDecimal decimal) {
    return Math.abs((long) decimal.scale()) <= MOST_SCALE && isSane(decimal.unscaledValue());
  }

  static boolean isWhole(BigDecimal number) {
    return number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
  }

  /** The number as somebody would write it, cut to its first digits when it has very many. */
  static String text(BigDecimal number) {
    String plain = number.stripTrailingZeros().toPlainString();
    return plain.length() <= LONGEST_PLAIN
        ? plain
        : number.round(new MathContext(LONGEST_PLAIN)).toString();
  }
}
