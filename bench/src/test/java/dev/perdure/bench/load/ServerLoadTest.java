// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.bench.docs.PerformanceDocument;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs each scenario once with few tasks. Each checks that no acknowledged task is missing. */
@Tag("slow")
class ServerLoadTest {

  private static final List<String> TINY =
      List.of(
          "--server",
          System.getProperty("java.class.path"),
          // The class path of the tests has a second provider, which silences the peers.
          "--java-option",
          "-Dslf4j.provider=ch.qos.logback.classic.spi.LogbackServiceProvider",
          "--rounds",
          "1",
          "--seconds",
          "1",
          "--warm-up",
          "1",
          "--connections",
          "2",
          "--tasks",
          "200",
          "--memory-tasks",
          "800",
          "--hanging-callees",
          "12",
          "--hang-seconds",
          "3",
          "--max-concurrent-calls",
          "12,5",
          "--rate",
          "20");

  private static String load(String scenario, String store) throws Exception {
    List<String> args = new ArrayList<>(TINY);
    args.addAll(List.of("--scenarios", scenario, "--stores", store));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PrintStream lines = new PrintStream(out, true, StandardCharsets.UTF_8)) {
      ServerLoad.run(LoadOptions.parse(args.toArray(String[]::new)), lines);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "submit, postgres, 'per POST:'",
    "submit, sqlite, '\n2 '",
    "callback, sqlite, 'tasks from submission to callback: '",
    "hanging, sqlite, '12 callees hang for 3 s, 5 concurrent calls'",
    "memory, sqlite, '         1,000 '"
  })
  void every_scenario_prints_its_results(String scenario, String store, String expected)
      throws Exception {
    assertThat(load(scenario, store)).contains(expected).doesNotContain("NaN", "Infinity");
  }

  @Test
  void an_invalid_option_is_named_in_the_error() {
    assertThatThrownBy(() -> LoadOptions.parse("--speed", "9")).hasMessageContaining("--speed");
    assertThatThrownBy(() -> LoadOptions.parse("--rounds", "0")).hasMessageContaining("--rounds");
    assertThatThrownBy(() -> LoadOptions.parse("--stores", "paper")).hasMessageContaining("sqlite");
  }

  static List<Arguments> documentedArguments() {
    return PerformanceDocument.argumentsOf(ServerLoad.class).stream()
        .map(args -> Arguments.of((Object) args))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("documentedArguments")
  void accepts_the_options_of_the_documented_commands(String[] args) {
    assertThat(LoadOptions.parse(args).scenarios).hasSize(1);
  }

  @Test
  void a_percentile_is_a_measured_latency() {
    Latencies.Recorder recorder = new Latencies.Recorder();
    for (int i = 1; i <= 2_000; i++) {
      recorder.add(i * 1_000_000L);
    }
    Latencies latencies = Latencies.of(List.of(recorder, new Latencies.Recorder()));

    assertThat(latencies.count()).isEqualTo(2_000);
    assertThat(latencies.percentileMillis(0.5)).isEqualTo(1_000);
    assertThat(latencies.percentileMillis(0.99)).isEqualTo(1_980);
    assertThat(latencies.percentileMillis(1)).isEqualTo(2_000);
  }
}
