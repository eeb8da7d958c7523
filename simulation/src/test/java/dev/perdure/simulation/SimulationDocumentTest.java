// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.simulation.bug.PlantedBug;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares names and numbers in docs/simulation.md and docs/quality.md with the code. */
@Tag("slow")
class SimulationDocumentTest {

  private static final Path DOCS = Path.of("..", "docs");
  private static final String INVARIANT_ROW = "^\\| `[A-Z_]+`.*";
  private static final Pattern CONSTANT = Pattern.compile("`([A-Z]+(?:_[A-Z]+)*)`");
  private static final Pattern SEEDS =
      Pattern.compile("<simulation\\.seeds>(\\d+)</simulation\\.seeds>");

  @Test
  void the_table_lists_every_invariant_and_no_other() throws IOException {
    Set<String> named =
        read("simulation.md")
            .lines()
            .filter(line -> line.matches(INVARIANT_ROW))
            .flatMap(row -> CONSTANT.matcher(row.split("\\|", 3)[1]).results())
            .map(match -> match.group(1))
            .collect(Collectors.toSet());

    assertThat(named)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Invariant.values()).map(Enum::name).toList());
  }

  @Test
  void the_table_lists_every_planted_bug() throws IOException {
    assertThat(read("simulation.md"))
        .contains(plantedBugs().stream().map(name -> "| `" + name + "` |").toList());
  }

  @Test
  void the_quality_page_has_the_right_numbers() throws IOException {
    List<Integer> seeds =
        SEEDS
            .matcher(Files.readString(Path.of("pom.xml")))
            .results()
            .map(match -> Integer.valueOf(match.group(1)))
            .toList();

    assertThat(read("quality.md"))
        .contains("%d invariants".formatted(Invariant.values().length))
        .contains("%d planted bugs".formatted(plantedBugs().size()))
        .contains("%d seeds in every build".formatted(seeds.getFirst()))
        .contains(
            "%s with `mvn verify -Psimulation`"
                .formatted(String.format(Locale.ROOT, "%,d", seeds.getLast())));
  }

  private static List<String> plantedBugs() {
    return Arrays.stream(PlantedBug.values())
        .filter(bug -> bug != PlantedBug.NONE)
        .map(bug -> bug.name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .toList();
  }

  private static String read(String page) throws IOException {
    return Files.readString(DOCS.resolve(page));
  }
}
