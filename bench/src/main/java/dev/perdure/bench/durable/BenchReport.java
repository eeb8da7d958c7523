// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.bench.durable.DurableBenchOptions.Scenario;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The results of all rounds, printed as tables or as JSON. */
final class BenchReport {

  private static final int MAX_STATEMENT_CHARACTERS = 76;

  private final Map<String, String> facts = new LinkedHashMap<>();
  private final List<RoundResult> results = new ArrayList<>();

  /** Adds a fact about the run, such as the version of the database. */
  void fact(String name, String value) {
    facts.put(name, value);
  }

  void add(RoundResult round) {
    results.add(round);
  }

  List<RoundResult> results() {
    return List.copyOf(results);
  }

  Map<String, String> facts() {
    return Map.copyOf(facts);
  }

  /** The ratio of the rates of two contenders, computed round by round. */
  record Ratio(String of, String to, MedianRange range) {}

  void print(PrintStream out) {
    facts.forEach((name, value) -> out.printf("%s: %s%n", name, value));
    for (Scenario scenario : Scenario.values()) {
      List<String> contenders = contenders(scenario);
      if (!contenders.isEmpty()) {
        out.printf("%n%s, tasks/s: median (min–max)%n", lower(scenario));
        out.printf("%-28s %26s %26s %26s%n", "", "submit", "run and settle", "total");
        contenders.forEach(contender -> printRates(out, contender, of(contender, scenario)));
        ratios(scenario)
            .forEach(
                ratio ->
                    out.printf(
                        "%s ÷ %s: %s×%n", ratio.of(), ratio.to(), ratio.range().format("%.2f")));
      }
    }
    printUsage(out);
  }

  private static void printRates(PrintStream out, String contender, List<RoundResult> rounds) {
    out.printf(
        "%-28s %26s %26s %26s%n",
        contender,
        MedianRange.of(rounds, RoundResult::submitRate).format("%,.0f"),
        MedianRange.of(rounds, RoundResult::runRate).format("%,.0f"),
        MedianRange.of(rounds, RoundResult::rate).format("%,.0f"));
  }

  private void printUsage(PrintStream out) {
    out.printf(
        "%nper task in the last round (SQLite: write calls and bytes written)%n%-28s %-8s %12s"
            + " %12s %12s%n",
        "", "", "statements", "commits", "WAL bytes");
    for (Scenario scenario : Scenario.values()) {
      for (String contender : contenders(scenario)) {
        DatabaseUsage usage = of(contender, scenario).getLast().usage();
        out.printf(
            "%-28s %-8s %12s %12s %12s%n",
            contender,
            lower(scenario),
            formatOrDash("%.4f", usage.statements()),
            formatOrDash("%.4f", usage.commits()),
            formatOrDash("%,.0f", usage.bytes()));
        usage.topStatements().forEach(statement -> printTopStatement(out, statement));
      }
    }
  }

  private static void printTopStatement(PrintStream out, DatabaseUsage.TopStatement statement) {
    String text = statement.text();
    out.printf(
        "    %,8d calls %,9.0f ms  %s%n",
        statement.calls(),
        statement.millis(),
        text.length() > MAX_STATEMENT_CHARACTERS
            ? text.substring(0, MAX_STATEMENT_CHARACTERS) + "…"
            : text);
  }

  private static String formatOrDash(String format, double value) {
    return value == DatabaseUsage.UNKNOWN ? "–" : String.format(format, value);
  }

  /**
   * Compares the engine with the other contenders on the same database, and with itself when many
   * tasks wait.
   */
  List<Ratio> ratios(Scenario scenario) {
    List<Ratio> ratios = new ArrayList<>();
    List<String> contenders = contenders(scenario);
    for (String engine : List.of(ContenderSetups.POSTGRES, ContenderSetups.SQLITE)) {
      for (String other : contenders) {
        if (contenders.contains(engine) && !other.equals(engine) && other.startsWith(engine)) {
          ratios.add(new Ratio(engine, other, ratio(of(engine, scenario), of(other, scenario))));
        }
      }
    }
    return ratios;
  }

  private static MedianRange ratio(List<RoundResult> first, List<RoundResult> second) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(first.size(), second.size()); i++) {
      ratios.add(first.get(i).rate() / second.get(i).rate());
    }
    return MedianRange.of(ratios);
  }

  String json() {
    ObjectNode root = JsonMapper.shared().createObjectNode();
    ObjectNode factsNode = root.putObject("facts");
    facts.forEach(factsNode::put);
    ArrayNode rounds = root.putArray("rounds");
    for (RoundResult round : results) {
      ObjectNode node = rounds.addObject();
      node.put("contender", round.contender());
      node.put("scenario", lower(round.scenario()));
      node.put("tasks", round.tasks());
      node.put("submit_per_s", round.submitRate());
      node.put("run_per_s", round.runRate());
      node.put("total_per_s", round.rate());
      node.put("statements_per_task", round.usage().statements());
      node.put("commits_per_task", round.usage().commits());
      node.put("bytes_per_task", round.usage().bytes());
    }
    ArrayNode ratios = root.putArray("ratios");
    for (Scenario scenario : Scenario.values()) {
      for (Ratio ratio : ratios(scenario)) {
        ObjectNode node = ratios.addObject();
        node.put("scenario", lower(scenario));
        node.put("of", ratio.of());
        node.put("to", ratio.to());
        node.put("median", ratio.range().median());
        node.put("min", ratio.range().min());
        node.put("max", ratio.range().max());
      }
    }
    return root.toPrettyString();
  }

  private List<String> contenders(Scenario scenario) {
    return results.stream()
        .filter(round -> round.scenario() == scenario)
        .map(RoundResult::contender)
        .distinct()
        .toList();
  }

  private List<RoundResult> of(String contender, Scenario scenario) {
    return results.stream()
        .filter(round -> round.scenario() == scenario && round.contender().equals(contender))
        .toList();
  }

  private static String lower(Scenario scenario) {
    return scenario.name().toLowerCase(Locale.ROOT);
  }
}
