// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TerminalWriterTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private TerminalWriter page(boolean colored) {
    return new TerminalWriter(new PrintStream(bytes, true, StandardCharsets.UTF_8), 12, colored);
  }

  private String written() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void wraps_text_at_spaces_and_cuts_long_words() {
    assertThat(TerminalWriter.wrap("one two three", 7)).containsExactly("one two", "three");
    assertThat(TerminalWriter.wrap("a abcdefghijklm b", 5))
        .containsExactly("a", "abcde", "fghij", "klm b");
    assertThat(TerminalWriter.wrap("", 5)).containsExactly("");
  }

  @Test
  void aligns_wrapped_text_beside_its_label() {
    page(false).field("name", 6, "some words");

    assertThat(written()).isEqualTo("name  some\n      words\n");
  }

  @Test
  void prints_no_trailing_spaces() {
    page(false).line(StyledText.of("a  "), StyledText.space(3));

    assertThat(written()).isEqualTo("a\n");
  }

  @Test
  void prints_styles_only_in_colour() {
    page(true).line(StyledText.of("a", AnsiStyle.BAD), StyledText.of("b"));

    assertThat(written()).isEqualTo("\u001b[31ma\u001b[0mb\n");
  }

  @Test
  @Timeout(10)
  void wraps_even_when_a_character_is_wider_than_the_line() {
    assertThat(TerminalWriter.wrap("漢字", 1)).startsWith("漢", "字");
    assertThat(TerminalWriter.wrap("ab", 0)).startsWith("a", "b");
    assertThat(TerminalWriter.wrap("", -1)).containsExactly("");
  }
}
