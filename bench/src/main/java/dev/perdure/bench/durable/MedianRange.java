// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.util.Collection;
import java.util.function.Function;

/** The median of some values, with their minimum and maximum. */
public record MedianRange(double median, double min, double max) {

  public static MedianRange of(Collection<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("There are no values");
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new MedianRange(median, sorted[0], sorted[sorted.length - 1]);
  }

  public static <T> MedianRange of(Collection<T> items, Function<T, Double> value) {
    return of(items.stream().map(value).toList());
  }

  /** Formats the values, for example {@code 12,345 (11,900–12,800)}. */
  public String format(String format) {
    String pattern = "%s (%s–%s)".replace("%s", format);
    return String.format(pattern, median, min, max);
  }
}
