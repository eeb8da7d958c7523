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

/** All figures of a run, in the order they came. */
final class BenchReport {

  private static final int MAX_STATEMENT_CHARACTERS = 76;

  private final Map<String, String> facts = new LinkedHashMap<>();
  private final List<RoundResult> results = new ArrayList<>();

  /** Something about the run that is not a figure of a round. */
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

  /** A figure of a subject beside another's, round by round, as they took turns. */
  record Ratio(String of, String to, MedianRange range) {}

  void print(PrintStream out) {
    facts.forEach((name, value) -> out.printf("%s: %s%n", name, value));
    for (Scenario scenario : Scenario.values()) {
      List<String> contenders = contenders(scenario);
      if (!contenders.isEmpty()) {
        out.printf("%n%s, tasks/s: median (least–most)%n", lower(scenario));
        out.printf("%-28s %26s %26s %26s%n", "", "submit", "run and settle", "all together");
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
        "%nper task in the last round (SQLite: writes to files and their bytes)%n%-28s %-8s %12s"
            + " %12s %12s%n",
        "", "", "statements", "commits", "WAL bytes");
    for (Scenario scenario : Scenario.values()) {
      for (String contender : contenders(scenario)) {
        DatabaseUsage usage = of(contender, scenario).getLast().usage();
        out.printf(
            "%-28s %-8s %12s %12s %12s%n",
            contender,
            lower(scenario),
            shown("%.4f", usage.statements()),
            shown("%.4f", usage.commits()),
            shown("%,.0f", usage.bytes()));
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

  private static String shown(String format, double value) {
    return value == DatabaseUsage.UNKNOWN ? "–" : String.format(format, value);
  }

  /** The engine beside the others on the same database, and beside itself with tasks waiting. */
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

  private static MedianRange ratio(List<RoundResult> some, List<RoundResult> others) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(some.size(), others.size()); i++) {
      ratios.add(some.get(i).rate() / others.get(i).rate());
    }
    return MedianRange.of(ratios);
  }

  String json() {
    ObjectNode root = JsonMapper.shared().createObjectNode();
    ObjectNode said = root.putObject("facts");
    facts.forEach(said::put);
    ArrayNode rounds = root.putArray("rounds");
    for (RoundResult round : results) {
      ObjectNode one = rounds.addObject();
      one.put("subject", round.contender());
      one.put("scenario", lower(round.scenario()));
      one.put("tasks", round.tasks());
      one.put("submit_per_s", round.submitRate());
      one.put("run_per_s", round.runRate());
      one.put("all_per_s", round.rate());
      one.put("statements_per_task", round.usage().statements());
      one.put("commits_per_task", round.usage().commits());
      one.put("bytes_per_task", round.usage().bytes());
    }
    ArrayNode ratios = root.putArray("ratios");
    for (Scenario scenario : Scenario.values()) {
      for (Ratio ratio : ratios(scenario)) {
        ObjectNode one = ratios.addObject();
        one.put("scenario", lower(scenario));
        one.put("of", ratio.of());
        one.put("to", ratio.to());
        one.put("median", ratio.range().median());
        one.put("least", ratio.range().min());
        one.put("most", ratio.range().max());
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
