// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllowListTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "10.0.0.1/8 | '10.0.0.1/8' has bits set beyond its prefix: write 10.0.0.0/8",
        "10.0.0.0/33 | '10.0.0.0/33' needs a prefix of 0 to 32 bits",
        "10.0.0.0/08 | '10.0.0.0/08' needs a prefix of 0 to 32 bits",
        "10.0.0.0/ | '10.0.0.0/' needs a prefix of 0 to 32 bits",
        "::/129 | '::/129' needs a prefix of 0 to 128 bits",
        "10/8 | '10/8' is not an address: write 10.1.2.3, fd00::1 or 10.0.0.0/8",
        "10.0.0 | '10.0.0' has an IPv4 address in an unusual form: write it as 192.0.2.1",
        "http://a.test | 'http://a.test' is a URL: write only its host or a range",
        "a.test/path | 'a.test/path' is not an address: write 10.1.2.3, fd00::1 or 10.0.0.0/8",
        "*.a.test | '*.a.test' has a wildcard: list each host, or the range",
        "a.test:80 | 'a.test:80' is neither an IPv6 address nor a host: leave out ports and"
            + " brackets",
        "[::1] | '[::1]' is neither an IPv6 address nor a host: leave out ports and brackets",
        "a.test. | 'a.test.' has a host that ends in a dot: remove the dot",
        "a.test,,b.test | an entry is empty: remove the comma",
        "bücher.test | 'bücher.test' has a host that is not plain ASCII: use its punycode form (xn--…)",
        "a b | 'a b' has a host that is not plain ASCII: use its punycode form (xn--…)",
        "-a.test | '-a.test' has an invalid host name: use letters, digits, - and _, separated by dots"
      })
  void reports_an_invalid_entry(String text, String message) {
    assertThatThrownBy(() -> AllowList.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void reports_all_invalid_entries_at_once() {
    assertThatThrownBy(() -> AllowList.parse("10.0.0.1/8, a.test, *.b.test"))
        .hasMessage(
            "'10.0.0.1/8' has bits set beyond its prefix: write 10.0.0.0/8; "
                + "'*.b.test' has a wildcard: list each host, or the range");
  }

  @Test
  void has_at_most_1000_entries() {
    assertThatThrownBy(() -> AllowList.parse("a,".repeat(1_000) + "a"))
        .hasMessage("must have at most 1000 entries, not 1001");
  }

  @Test
  void a_blank_text_allows_nothing() {
    AllowList list = AllowList.parse("  ");

    assertThat(list.allows(IpParser.parse("127.0.0.1").orElseThrow())).isFalse();
    assertThat(list.lists("")).isFalse();
  }
}
