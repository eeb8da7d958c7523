// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

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
 * @param helps the help text of each metric
 * @param types the metrics whose type is stated
 */
record Scrape(
    Map<String, Set<String>> labels,
    Map<String, Set<String>> values,
    Map<String, Double> sums,
    Map<String, String> helps,
    Set<String> types) {

  private static final Pattern SERIES = Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  static Scrape of(String text) {
    Scrape scrape =
        new Scrape(
            new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeSet<>());
    text.lines()
        .forEach(
            line -> {
              if (line.startsWith("#")) {
                scrape.addComment(line.split(" ", 4));
              } else {
                scrape.add(line);
              }
            });
    return scrape;
  }

  /** Adds {@code # HELP name text} or {@code # TYPE name type}. */
  private void addComment(String... words) {
    if (words[1].equals("HELP")) {
      String earlier = helps.put(words[2], words.length > 3 ? words[3] : "");
      assertThat(earlier).as("second help of " + words[2]).isNull();
    } else {
      assertThat(types.add(words[2])).as("first type of " + words[2]).isTrue();
    }
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
