// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The reference page lists the settings there are, and no others. */
class SettingsPageTest {

  private static final Path PAGE = Path.of("../docs/reference/configuration.md");

  @Test
  void says_what_the_table_says() throws IOException {
    List<String> rows =
        Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| `")).toList();

    assertThat(rows)
        .containsExactlyElementsOf(ServerSettings.ALL.stream().map(SettingsPageTest::row).toList());
  }

  private static String row(Setting<?> setting) {
    String otherwise = setting.defaultText().isEmpty() ? "" : "`" + setting.defaultText() + "`";
    return "| `%s` | `%s` | `%s` | %s | %s |"
        .formatted(
            setting.name(),
            setting.environmentVariable(),
            setting.flag(),
            otherwise,
            setting.description());
  }

  @Test
  void no_name_stands_twice() {
    assertThat(ServerSettings.ALL).extracting(Setting::name).doesNotHaveDuplicates();
    assertThat(ServerSettings.ALL).extracting(Setting::environmentVariable).doesNotHaveDuplicates();
  }
}
