// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.text;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.Failure;
import dev.perdure.policy.simulate.Scenario;
import dev.perdure.policy.simulate.Simulation;
import dev.perdure.policy.simulate.Verdict;
import dev.perdure.server.cli.chart.Course;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** A simulation, told to a person. */
public final class SimulationText {

  private static final int LABEL_COLUMNS = 15;

  private final Page page;
  private final Simulation.Report report;
  private final List<Course> courses;

  public SimulationText(Page page, Simulation.Report report) {
    this.page = page;
    this.report = report;
    this.courses = Course.of(report);
  }

  /** All of it. */
  public void print(Failure failure) {
    page.paragraph(scenario(report.scenario()));
    page.paragraph("A client sees each lost attempt as " + FailureWords.of(failure) + ".");
    page.blank();
    numbers();
    page.blank();
    charts();
    page.blank();
    page.paragraph(Advice.of(report));
  }

  private static String scenario(Scenario scenario) {
    return ("%s clients send %s requests a second to a service that can do %s; it %s for %s, clients"
            + " wait %s for an answer, and we watch for %s more (seed %d).")
        .formatted(
            Numbers.count(scenario.clients()),
            Numbers.count(Math.round(scenario.load() * scenario.capacity())),
            Numbers.count(scenario.capacity()),
            scenario.remaining() == 0
                ? "stands still"
                : "drops to " + Numbers.percent(scenario.remaining()),
            DurationText.format(scenario.outage()),
            DurationText.format(scenario.timeout()),
            DurationText.format(scenario.horizon()),
            scenario.seed());
  }

  private void numbers() {
    Table table =
        new Table(List.of(Table.Side.LEFT, Table.Side.RIGHT, Table.Side.RIGHT, Table.Side.RIGHT));
    table.header(Stream.concat(Stream.of(""), courses.stream().map(Course::name)).toList());
    row(table, "verdict", course -> verdict(course.run().verdict()));
    row(table, "amplification", course -> plain(Numbers.times(course.run().amplification())));
    row(table, "peak load", course -> plain(Numbers.times(course.peakLoad())));
    row(table, "answered", course -> plain(Numbers.percent(course.run().successRate())));
    row(table, "drained after", SimulationText::drain);
    table.print(page);
  }

  private void row(Table table, String label, Function<Course, Piece> cell) {
    List<Piece> cells = new ArrayList<>(List.of(Piece.of(label, Tone.FAINT)));
    courses.forEach(course -> cells.add(cell.apply(course)));
    table.row(cells);
  }

  private static Piece plain(String text) {
    return Piece.of(text);
  }

  private static Piece drain(Course course) {
    return course.run().drain() == null
        ? Piece.of("never", Tone.BAD)
        : Piece.of(BriefTime.of(course.run().drain()));
  }

  private static Piece verdict(Verdict verdict) {
    return switch (verdict) {
      case STABLE -> Piece.of("stable", Tone.GOOD);
      case VULNERABLE -> Piece.of("vulnerable", Tone.WARNING);
      case METASTABLE -> Piece.of("metastable", Tone.BAD);
    };
  }

  private void charts() {
    int columns = page.width() - LABEL_COLUMNS;
    LoadChart chart = new LoadChart(Course.top(courses), columns);
    page.paragraph(
        "Sent per second: two lines up to the capacity (╌, %s), one on to %s"
            .formatted(
                Numbers.count(report.scenario().capacity()), Numbers.count(Course.top(courses))),
        Tone.FAINT);
    for (Course course : courses) {
      List<String> labels = List.of(course.name(), "peak " + Numbers.count(course.peak()), "");
      for (int line = 0; line < LoadChart.LINES; line++) {
        page.line(labelled(labels.get(line), chart.line(course, line)));
      }
    }
    page.line(labelled("", List.of(chart.axis(courses.getLast()))));
  }

  private static List<Piece> labelled(String label, List<Piece> pieces) {
    List<Piece> line = new ArrayList<>(List.of(Piece.of(label)));
    line.add(Piece.space(LABEL_COLUMNS - label.length()));
    line.addAll(pieces);
    return line;
  }
}
