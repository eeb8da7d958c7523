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

/** A simulation, told to a person. */
public final class SimulationText {

  private static final int LABEL_COLUMNS = 15;

  private final TerminalWriter terminalWriter;
  private final OutageSimulation.Report report;
  private final List<LoadCurve> loadCurves;

  public SimulationText(TerminalWriter terminalWriter, OutageSimulation.Report report) {
    this.terminalWriter = terminalWriter;
    this.report = report;
    this.loadCurves = LoadCurve.of(report);
  }

  /** All of it. */
  public void print(Failure failure) {
    terminalWriter.paragraph(scenario(report.scenario()));
    terminalWriter.paragraph("A client sees each lost attempt as " + FailureText.of(failure) + ".");
    terminalWriter.blank();
    numbers();
    terminalWriter.blank();
    charts();
    terminalWriter.blank();
    terminalWriter.paragraph(SimulationAdvice.of(report));
  }

  private static String scenario(Scenario scenario) {
    return ("%s clients send %s requests a second to a service that can do %s; it %s for %s, clients"
            + " wait %s for an answer, and we watch for %s more (seed %d).")
        .formatted(
            NumberFormatting.count(scenario.clients()),
            NumberFormatting.count(Math.round(scenario.load() * scenario.capacity())),
            NumberFormatting.count(scenario.capacity()),
            scenario.remaining() == 0
                ? "stands still"
                : "drops to " + NumberFormatting.percent(scenario.remaining()),
            DurationText.format(scenario.outage()),
            DurationText.format(scenario.timeout()),
            DurationText.format(scenario.horizon()),
            scenario.seed());
  }

  private void numbers() {
    Table table =
        new Table(List.of(Table.Side.LEFT, Table.Side.RIGHT, Table.Side.RIGHT, Table.Side.RIGHT));
    table.header(Stream.concat(Stream.of(""), loadCurves.stream().map(LoadCurve::name)).toList());
    row(table, "verdict", loadCurve -> verdict(loadCurve.run().verdict()));
    row(
        table,
        "amplification",
        loadCurve -> plain(NumberFormatting.times(loadCurve.run().amplification())));
    row(table, "peak load", loadCurve -> plain(NumberFormatting.times(loadCurve.peakLoad())));
    row(
        table,
        "answered",
        loadCurve -> plain(NumberFormatting.percent(loadCurve.run().successRate())));
    row(table, "drained after", SimulationText::drain);
    table.print(terminalWriter);
  }

  private void row(Table table, String label, Function<LoadCurve, StyledText> cell) {
    List<StyledText> cells = new ArrayList<>(List.of(StyledText.of(label, AnsiStyle.FAINT)));
    loadCurves.forEach(loadCurve -> cells.add(cell.apply(loadCurve)));
    table.row(cells);
  }

  private static StyledText plain(String text) {
    return StyledText.of(text);
  }

  private static StyledText drain(LoadCurve loadCurve) {
    return loadCurve.run().drainTime() == null
        ? StyledText.of("never", AnsiStyle.BAD)
        : StyledText.of(ShortDuration.of(loadCurve.run().drainTime()));
  }

  private static StyledText verdict(StabilityVerdict stabilityVerdict) {
    return switch (stabilityVerdict) {
      case STABLE -> StyledText.of("stable", AnsiStyle.GOOD);
      case VULNERABLE -> StyledText.of("vulnerable", AnsiStyle.WARNING);
      case METASTABLE -> StyledText.of("metastable", AnsiStyle.BAD);
    };
  }

  private void charts() {
    int columns = terminalWriter.width() - LABEL_COLUMNS;
    LoadChart chart = new LoadChart(LoadCurve.top(loadCurves), columns);
    terminalWriter.paragraph(
        "Sent per second: two lines up to the capacity (╌, %s), one on to %s"
            .formatted(
                NumberFormatting.count(report.scenario().capacity()),
                NumberFormatting.count(LoadCurve.top(loadCurves))),
        AnsiStyle.FAINT);
    for (LoadCurve loadCurve : loadCurves) {
      List<String> labels =
          List.of(loadCurve.name(), "peak " + NumberFormatting.count(loadCurve.peak()), "");
      for (int line = 0; line < LoadChart.LINES; line++) {
        terminalWriter.line(labelled(labels.get(line), chart.line(loadCurve, line)));
      }
    }
    terminalWriter.line(labelled("", List.of(chart.axis(loadCurves.getLast()))));
  }

  private static List<StyledText> labelled(String label, List<StyledText> styledTexts) {
    List<StyledText> line = new ArrayList<>(List.of(StyledText.of(label)));
    line.add(StyledText.space(LABEL_COLUMNS - label.length()));
    line.addAll(styledTexts);
    return line;
  }
}
