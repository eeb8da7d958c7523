// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.cli.chart.LoadCurve;
import dev.perdure.policy.DurationText;
import dev.perdure.policy.Failure;
import dev.perdure.policy.simulate.OutageSimulation;
import dev.perdure.policy.simulate.Scenario;
import dev.perdure.policy.simulate.StabilityVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Prints the report of a simulation for people. */
public final class SimulationText {

  private static final int LABEL_COLUMNS = 15;

  private final TerminalWriter writer;
  private final OutageSimulation.Report report;
  private final List<LoadCurve> curves;

  public SimulationText(TerminalWriter writer, OutageSimulation.Report report) {
    this.writer = writer;
    this.report = report;
    this.curves = LoadCurve.of(report);
  }

  /** Prints the whole report. */
  public void print(Failure failure) {
    writer.paragraph(scenario(report.scenario()));
    writer.paragraph("A client sees each failed attempt as " + FailureText.of(failure) + ".");
    writer.blank();
    numbers();
    writer.blank();
    charts();
    writer.blank();
    writer.paragraph(SimulationAdvice.of(report));
  }

  private static String scenario(Scenario scenario) {
    return ("%s clients send %s requests per second to a service that can handle %s. It %s for %s."
            + " Clients wait %s for an answer. The simulation runs for another %s (seed %d).")
        .formatted(
            NumberFormatting.count(scenario.clients()),
            NumberFormatting.count(Math.round(scenario.load() * scenario.capacity())),
            NumberFormatting.count(scenario.capacity()),
            scenario.remaining() == 0
                ? "stops"
                : "drops to " + NumberFormatting.percent(scenario.remaining()),
            DurationText.format(scenario.outage()),
            DurationText.format(scenario.timeout()),
            DurationText.format(scenario.horizon()),
            scenario.seed());
  }

  private void numbers() {
    Table table =
        new Table(List.of(Table.Side.LEFT, Table.Side.RIGHT, Table.Side.RIGHT, Table.Side.RIGHT));
    table.header(Stream.concat(Stream.of(""), curves.stream().map(LoadCurve::name)).toList());
    row(table, "verdict", curve -> verdict(curve.run().verdict()));
    row(
        table,
        "amplification",
        curve -> plain(NumberFormatting.times(curve.run().amplification())));
    row(table, "peak load", curve -> plain(NumberFormatting.times(curve.peakLoad())));
    row(table, "answered", curve -> plain(NumberFormatting.percent(curve.run().successRate())));
    row(table, "drained after", SimulationText::drain);
    table.print(writer);
  }

  private void row(Table table, String label, Function<LoadCurve, StyledText> cell) {
    List<StyledText> cells = new ArrayList<>(List.of(StyledText.of(label, AnsiStyle.FAINT)));
    curves.forEach(curve -> cells.add(cell.apply(curve)));
    table.row(cells);
  }

  private static StyledText plain(String text) {
    return StyledText.of(text);
  }

  private static StyledText drain(LoadCurve curve) {
    return curve.run().drainTime() == null
        ? StyledText.of("never", AnsiStyle.BAD)
        : StyledText.of(ShortDuration.of(curve.run().drainTime()));
  }

  private static StyledText verdict(StabilityVerdict verdict) {
    return switch (verdict) {
      case STABLE -> StyledText.of("stable", AnsiStyle.GOOD);
      case VULNERABLE -> StyledText.of("vulnerable", AnsiStyle.WARNING);
      case METASTABLE -> StyledText.of("metastable", AnsiStyle.BAD);
    };
  }

  private void charts() {
    int columns = writer.width() - LABEL_COLUMNS;
    LoadChart chart = new LoadChart(LoadCurve.top(curves), columns);
    writer.paragraph(
        "Attempts per second: the capacity is at ╌ (%s), the top is %s"
            .formatted(
                NumberFormatting.count(report.scenario().capacity()),
                NumberFormatting.count(LoadCurve.top(curves))),
        AnsiStyle.FAINT);
    for (LoadCurve curve : curves) {
      List<String> labels =
          List.of(curve.name(), "peak " + NumberFormatting.count(curve.peak()), "");
      for (int line = 0; line < LoadChart.LINES; line++) {
        writer.line(labeled(labels.get(line), chart.line(curve, line)));
      }
    }
    writer.line(labeled("", List.of(chart.axis(curves.getLast()))));
  }

  private static List<StyledText> labeled(String label, List<StyledText> pieces) {
    List<StyledText> line = new ArrayList<>(List.of(StyledText.of(label)));
    line.add(StyledText.space(LABEL_COLUMNS - label.length()));
    line.addAll(pieces);
    return line;
  }
}
