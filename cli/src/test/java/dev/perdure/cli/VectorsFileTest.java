// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static dev.perdure.cli.TestCli.perdure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VectorsFileTest {

  private static final Path VECTORS = Path.of("src/test/resources/vectors.json");

  @TempDir Path folder;

  @Test
  void counts_the_matching_decisions() throws IOException {
    long decisions =
        Files.readString(VECTORS).lines().filter(l -> l.contains("\"expect\"")).count();

    CliResult result = perdure("explain", "--vectors", VECTORS.toString());

    assertThat(result.code()).isZero();
    assertThat(result.out()).isEqualTo(decisions + " passed, 0 failed\n");
  }

  @Test
  void prints_each_difference_and_exits_with_1() throws IOException {
    String changed =
        Files.readString(VECTORS)
            .replaceFirst("\"delay_min_ms\": 10000", "\"delay_min_ms\": 10002")
            .replaceFirst("\"reason\": \"exhausted\"", "\"reason\": \"expired\"");
    Path file = Files.writeString(folder.resolve("wrong.json"), changed);

    CliResult result = perdure("explain", "--vectors", file.toString());

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.lines()).hasSize(3);
    assertThat(result.lines().get(0)).contains("task dialect: 10s doubling", "10002");
    assertThat(result.lines().get(1)).contains("expired", "exhausted");
    assertThat(result.lines().get(2)).endsWith(" passed, 2 failed");
  }

  @Test
  void prints_the_result_as_json() {
    CliResult result = perdure("explain", "--vectors", VECTORS.toString(), "--json");

    assertThat(result.code()).isZero();
    assertThat(result.json().getFirst().get("failed").asInt()).isZero();
    assertThat(result.json().getFirst().get("passed").asInt()).isGreaterThan(100);
    assertThat(result.json().getFirst().get("differences").isEmpty()).isTrue();
  }

  @Test
  void refuses_a_file_that_cannot_be_read() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.json"), "[{");

    CliResult missing = perdure("explain", "--vectors", folder.resolve("none.json").toString());
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.err()).startsWith("perdure: file not found: '").endsWith("none.json'\n");
    assertThat(perdure("explain", "--vectors", folder.toString()).err())
        .contains("is a directory, not a file");
    CliResult notJson = perdure("explain", "--vectors", broken.toString());
    assertThat(notJson.code()).isEqualTo(2);
    assertThat(notJson.err()).contains("--vectors: the file is not JSON");
  }

  @Test
  void cannot_be_combined_with_a_policy() {
    CliResult result = perdure("explain", "http", "--vectors", VECTORS.toString());

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("--vectors: can only be combined with");
  }

  @Test
  void exits_with_1_for_a_file_without_decisions() throws IOException {
    Path empty = Files.writeString(folder.resolve("empty.json"), "[]");
    CliResult result = perdure("explain", "--vectors", empty.toString());
    assertThat(result.out()).isEqualTo("0 passed, 0 failed\n");
    assertThat(result.code()).isEqualTo(Perdure.EXIT_NEGATIVE);
  }
}
