// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each scenario once and small: every one checks by itself that nothing confirmed is missing. */
class ServerLoadTest {

  private static final List<String> TINY =
      List.of(
          "--server",
          System.getProperty("java.class.path"),
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
          "--hour",
          "800",
          "--hanging",
          "12",
          "--hang",
          "3",
          "--at-once",
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
    "posts, postgres, 'for each POST:'",
    "posts, sqlite, '\n2 '",
    "callbacks, sqlite, 'tasks called, called back and ended: '",
    "hanging, sqlite, '12 callees hang for 3 s, 5 called at once'",
    "memory, sqlite, '         1,000 '"
  })
  void every_scenario_brings_its_figures(String scenario, String store, String figures)
      throws Exception {
    assertThat(load(scenario, store)).contains(figures).doesNotContain("NaN", "Infinity");
  }

  @Test
  void an_unknown_option_is_named() {
    assertThatThrownBy(() -> LoadOptions.parse("--speed", "9")).hasMessageContaining("--speed");
    assertThatThrownBy(() -> LoadOptions.parse("--rounds", "0")).hasMessageContaining("--rounds");
    assertThatThrownBy(() -> LoadOptions.parse("--stores", "paper")).hasMessageContaining("sqlite");
  }

  @Test
  void a_percentile_is_a_time_that_was_measured() {
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
