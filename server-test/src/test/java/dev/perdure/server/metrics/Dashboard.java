// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The queries of the Grafana dashboard. */
record Dashboard(List<String> queries) {

  private static final Path FILE = Path.of("../ops/grafana/perdure.json");

  private static final Pattern GROUPING =
      Pattern.compile("\\b(?:by|without|on|ignoring)\\s*\\(([^)]*)\\)");
  private static final Pattern METRIC =
      Pattern.compile("(?<![\\w$.])([a-z_][a-z0-9_]*)\\s*(?:\\{([^}]*)})?(?!\\s*\\(|\\w)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)");
  private static final Pattern OPERATOR = Pattern.compile("\\b(?:or|and|unless|offset)\\b");
  private static final Pattern IN_BRACKETS = Pattern.compile("\\[[^]]*]");

  static Dashboard read() throws IOException {
    JsonNode json = JsonMapper.shared().readTree(Files.readString(FILE));
    return new Dashboard(json.findValuesAsString("expr"));
  }

  /** A metric that a query selects, with the labels by which the query filters or groups. */
  record Selection(String metric, Set<String> labels) {}

  List<Selection> selections() {
    List<Selection> selections = new ArrayList<>();
    queries.forEach(query -> selections.addAll(selections(query)));
    return selections;
  }

  static List<Selection> selections(String query) {
    Set<String> grouping = new TreeSet<>();
    GROUPING
        .matcher(query)
        .results()
        .flatMap(hit -> Stream.of(hit.group(1).split(",")))
        .map(String::strip)
        .filter(label -> !label.isEmpty())
        .forEach(grouping::add);
    String ungrouped = OPERATOR.matcher(GROUPING.matcher(query).replaceAll(" ")).replaceAll("+");
    String plain = IN_BRACKETS.matcher(ungrouped).replaceAll("");
    return METRIC.matcher(plain).results().map(hit -> selection(hit, grouping)).toList();
  }

  private static Selection selection(MatchResult hit, Set<String> grouping) {
    Set<String> labels = new TreeSet<>(grouping);
    String matchers = hit.group(2) == null ? "" : hit.group(2);
    LABEL.matcher(matchers).results().map(label -> label.group(1)).forEach(labels::add);
    return new Selection(hit.group(1), labels);
  }
}
