// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import dev.perdure.bench.conformance.CheckResult.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Checks every library against the same requirements and prints the results with the evidence. The
 * exit code is 1 if Perdure fails a check.
 */
public final class Conformance {

  /** Turned off because one case makes listeners throw, and Perdure logs that. */
  private static final Logger OURS = Logger.getLogger("dev.perdure.retry");

  private record Row(ConformanceCase testCase, List<CheckResult> results) {}

  private final List<Library> libraries;

  private Conformance(List<Library> libraries) {
    this.libraries = libraries;
  }

  public static void main(String[] args) throws InterruptedException {
    OURS.setLevel(Level.OFF);
    boolean passed = new Conformance(Library.all()).print();
    System.exit(passed ? 0 : 1);
  }

  private boolean print() throws InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (ConformanceCase testCase : ConformanceCase.all()) {
      List<CheckResult> results = new ArrayList<>();
      for (Library library : libraries) {
        results.add(testCase.run(library));
      }
      rows.add(new Row(testCase, results));
    }
    printTable(rows);
    printEvidence(rows);
    return rows.stream().allMatch(row -> row.results().getFirst().outcome() == Outcome.PASSES);
  }

  private void printTable(List<Row> rows) {
    int first =
        rows.stream().mapToInt(row -> row.testCase().requirement().length()).max().orElse(0);
    StringBuilder head = new StringBuilder(" ".repeat(first));
    libraries.forEach(library -> head.append("  ").append(library.name()));
    System.out.println(head);
    for (Row row : rows) {
      StringBuilder line = new StringBuilder(pad(row.testCase().requirement(), first));
      for (int i = 0; i < libraries.size(); i++) {
        String outcome = row.results().get(i).outcome().text();
        line.append("  ").append(pad(outcome, libraries.get(i).name().length()));
      }
      System.out.println(line.toString().stripTrailing());
    }
  }

  private void printEvidence(List<Row> rows) {
    int widest = libraries.stream().mapToInt(library -> library.name().length()).max().orElse(0);
    for (Row row : rows) {
      System.out.println();
      System.out.println(row.testCase().requirement());
      for (int i = 0; i < libraries.size(); i++) {
        CheckResult result = row.results().get(i);
        System.out.printf(
            "  %s  %s  %s%n",
            pad(libraries.get(i).name(), widest),
            pad(result.outcome().text(), 5),
            result.evidence());
      }
    }
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}
