// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisplayWidthTest {

  @ParameterizedTest
  @CsvSource({
    "abc,3",
    "naïve,5",
    "請求書,6",
    "한국,4",
    "かな,4",
    "ｶﾅ,2",
    "🚀 go,5",
    "█░…✓,4",
    "e\u0301,1"
  })
  void counts_terminal_columns(String text, int columns) {
    assertThat(DisplayWidth.of(text)).isEqualTo(columns);
  }

  @Test
  void truncates_before_the_first_character_that_does_not_fit() {
    assertThat(DisplayWidth.truncate("請求書", 5)).isEqualTo("請求");
    assertThat(DisplayWidth.truncate("🚀🚀", 1)).isEmpty();
    assertThat(DisplayWidth.truncate("abc", 3)).isEqualTo("abc");
  }

  @Test
  void a_live_block_never_wraps_a_line() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    new LiveBlock(stream, 20, true)
        .show(
            writer ->
                writer.line(
                    StyledText.of("請求書".repeat(10), AnsiStyle.BAD), StyledText.of(" the end")));

    String line = out.toString(StandardCharsets.UTF_8).replaceAll("\u001B\\[\\d*m", "").strip();
    assertThat(DisplayWidth.of(line)).isEqualTo(20);
  }
}
