// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TerminalWriterTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private TerminalWriter page(boolean colored) {
    return page(12, colored);
  }

  private TerminalWriter page(int textWidth, boolean colored) {
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    return new TerminalWriter(out, 12, textWidth, colored);
  }

  private String written() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void wraps_text_at_spaces_and_never_inside_a_word() {
    assertThat(TerminalWriter.wrap("one two three", 7)).containsExactly("one two", "three");
    assertThat(TerminalWriter.wrap("a abcdefghijklm b", 5))
        .containsExactly("a", "abcdefghijklm", "b");
    assertThat(TerminalWriter.wrap("", 5)).containsExactly("");
  }

  @Test
  void keeps_a_json_field_together() {
    assertThat(TerminalWriter.wrap("retry less, or set \"max_retries\": 5, once", 32))
        .containsExactly("retry less, or set", "\"max_retries\": 5, once");
  }

  @Test
  void commands_and_json_are_never_wrapped() {
    page(false).command("./perdure watch --every 1s");
    page(false).copyableField("json", 6, "{\"a\":\"b c d e f\"}");

    assertThat(written()).isEqualTo("./perdure watch --every 1s\njson  {\"a\":\"b c d e f\"}\n");
  }

  @Test
  void wraps_nothing_where_the_width_is_unlimited() {
    page(TerminalWriter.UNLIMITED, false).paragraph("many words ".repeat(1000));

    assertThat(written().lines()).hasSize(1);
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
}
