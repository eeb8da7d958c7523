// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.metrics;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parsed output of {@code /metrics}.
 *
 * @param labels the labels of each metric, by the name of its series
 * @param values the values of each label, by {@code metric.label}
 * @param sums the sum of each metric over all its labels
 */
record Scrape(
    Map<String, Set<String>> labels, Map<String, Set<String>> values, Map<String, Double> sums) {

  private static final Pattern SERIES = Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  static Scrape of(String text) {
    Scrape scrape = new Scrape(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    text.lines().filter(line -> !line.startsWith("#")).forEach(scrape::add);
    return scrape;
  }

  private void add(String line) {
    Matcher series = SERIES.matcher(line);
    if (!series.matches()) {
      throw new AssertionError("not a series: " + line);
    }
    String name = series.group(1);
    Set<String> names = labels.computeIfAbsent(name, any -> new TreeSet<>());
    sums.merge(name, Double.valueOf(series.group(3)), Double::sum);
    Matcher label = LABEL.matcher(series.group(2) == null ? "" : series.group(2));
    while (label.find()) {
      names.add(label.group(1));
      values
          .computeIfAbsent(name + "." + label.group(1), any -> new TreeSet<>())
          .add(label.group(2));
    }
  }

  boolean hasLabelValue(String label, String value) {
    return values.getOrDefault(label, Set.of()).contains(value);
  }

  boolean isWritten(String name) {
    return sums.getOrDefault(name, 0.0) > 0;
  }
}
