// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.util.Collection;
import java.util.function.Function;

/** The middle of some figures, with the least and the most of them. */
public record MedianRange(double median, double min, double max) {

  public static MedianRange of(Collection<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no figures");
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

  /** As in {@code 12,345 (11,900–12,800)}. */
  public String format(String format) {
    String pattern = "%s (%s–%s)".replace("%s", format);
    return String.format(pattern, median, min, max);
  }
}
