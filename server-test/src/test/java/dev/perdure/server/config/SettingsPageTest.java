// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The reference page lists exactly the existing settings. */
class SettingsPageTest {

  private static final Path PAGE = Path.of("../docs/reference/configuration.md");

  @Test
  void lists_every_setting_with_its_names_default_and_description() throws IOException {
    List<String> rows =
        Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| `")).toList();

    assertThat(rows)
        .containsExactlyElementsOf(ServerSettings.ALL.stream().map(SettingsPageTest::row).toList());
  }

  private static String row(Setting<?> setting) {
    String defaultText = setting.defaultText().isEmpty() ? "" : "`" + setting.defaultText() + "`";
    return "| `%s` | `%s` | `%s` | %s | %s |"
        .formatted(
            setting.name(),
            setting.environmentVariable(),
            setting.flag(),
            defaultText,
            setting.description());
  }

  @Test
  void no_two_settings_share_a_name() {
    assertThat(ServerSettings.ALL).extracting(Setting::name).doesNotHaveDuplicates();
    assertThat(ServerSettings.ALL).extracting(Setting::environmentVariable).doesNotHaveDuplicates();
  }
}
