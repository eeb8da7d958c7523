// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ComingFromGuidesTest {

  private static final Path GUIDES = Path.of("..", "docs", "guides");
  private static final Path SNIPPETS =
      Path.of("src", "main", "java", "dev", "perdure", "bench", "docs");
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern REGION =
      Pattern.compile("// region [a-z0-9-]+\n(.*?)[ ]*// endregion", Pattern.DOTALL);

  /** ArcRun is a server: its guide has no Java. */
  static List<Path> guides() throws IOException {
    try (Stream<Path> files = Files.list(GUIDES)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("coming-from-"))
          .filter(file -> !file.endsWith("coming-from-arcrun.md"))
          .toList();
    }
  }

  @Test
  void there_are_four_guides() throws IOException {
    assertThat(guides()).hasSize(4);
  }

  @ParameterizedTest
  @MethodSource("guides")
  void every_java_block_is_in_a_compiled_class(Path guide) throws IOException {
    List<String> blocks = found(BLOCK, guide);

    assertThat(blocks).isNotEmpty();
    assertThat(regions()).containsAll(blocks);
  }

  @Test
  void every_compiled_region_is_in_a_guide() throws IOException {
    List<String> shown = new ArrayList<>();
    for (Path guide : guides()) {
      shown.addAll(found(BLOCK, guide));
    }

    assertThat(shown).containsAll(regions());
  }

  private static List<String> regions() throws IOException {
    List<String> regions = new ArrayList<>();
    try (Stream<Path> sources = Files.list(SNIPPETS)) {
      for (Path source : sources.toList()) {
        regions.addAll(found(REGION, source));
      }
    }
    return regions;
  }

  /** All matches, without their common indentation. */
  private static List<String> found(Pattern pattern, Path file) throws IOException {
    Matcher matcher = pattern.matcher(Files.readString(file));
    return matcher.results().map(result -> result.group(1).stripTrailing().stripIndent()).toList();
  }
}
