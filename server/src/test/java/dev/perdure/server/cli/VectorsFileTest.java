// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import static dev.perdure.server.cli.TestShell.perdure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.cli.TestShell.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VectorsFileTest {

  private static final Path VECTORS = Path.of("src/test/resources/vectors.json");

  @TempDir Path folder;

  @Test
  void counts_the_decisions_that_are_as_expected() throws IOException {
    long decisions =
        Files.readString(VECTORS).lines().filter(l -> l.contains("\"expect\"")).count();

    Answer answer = perdure("explain", "--vectors", VECTORS.toString());

    assertThat(answer.code()).isZero();
    assertThat(answer.out()).isEqualTo(decisions + " passed, 0 failed\n");
  }

  @Test
  void tells_each_difference_and_answers_no() throws IOException {
    String planted =
        Files.readString(VECTORS)
            .replaceFirst("\"delay_min_ms\": 10000", "\"delay_min_ms\": 10002")
            .replaceFirst("\"reason\": \"exhausted\"", "\"reason\": \"expired\"");
    Path file = Files.writeString(folder.resolve("planted.json"), planted);

    Answer answer = perdure("explain", "--vectors", file.toString());

    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.lines()).hasSize(3);
    assertThat(answer.lines().get(0)).contains("task dialect: 10s doubling", "10002");
    assertThat(answer.lines().get(1)).contains("expired", "exhausted");
    assertThat(answer.lines().get(2)).endsWith(" passed, 2 failed");
  }

  @Test
  void answers_programs_in_json() {
    Answer answer = perdure("explain", "--vectors", VECTORS.toString(), "--json");

    assertThat(answer.code()).isZero();
    assertThat(answer.json().getFirst().get("failed").asInt()).isZero();
    assertThat(answer.json().getFirst().get("passed").asInt()).isGreaterThan(100);
    assertThat(answer.json().getFirst().get("differences").isEmpty()).isTrue();
  }

  @Test
  void refuses_a_file_that_cannot_be_read() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.json"), "[{");

    Answer missing = perdure("explain", "--vectors", folder.resolve("none.json").toString());
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.err()).startsWith("perdure: there is no file '").endsWith("none.json'\n");
    assertThat(perdure("explain", "--vectors", folder.toString()).err())
        .contains("is a directory, not a file");
    Answer notJson = perdure("explain", "--vectors", broken.toString());
    assertThat(notJson.code()).isEqualTo(2);
    assertThat(notJson.err()).contains("--vectors: the file is not JSON");
  }

  @Test
  void does_not_go_with_a_policy() {
    Answer answer = perdure("explain", "http", "--vectors", VECTORS.toString());

    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).contains("--vectors: goes with");
  }

  @Test
  void a_file_without_a_decision_proves_nothing() throws IOException {
    Path empty = Files.writeString(folder.resolve("empty.json"), "[]");
    Answer answer = perdure("explain", "--vectors", empty.toString());
    assertThat(answer.out()).isEqualTo("0 passed, 0 failed\n");
    assertThat(answer.code()).isEqualTo(Perdure.NO);
  }
}
