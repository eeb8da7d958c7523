// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpParserTest {

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0,              0.0.0.0",
    "255.255.255.255,      255.255.255.255",
    "192.0.2.17,           192.0.2.17",
    "::,                   0:0:0:0:0:0:0:0",
    "::1,                  0:0:0:0:0:0:0:1",
    "1::,                  1:0:0:0:0:0:0:0",
    "1::8,                 1:0:0:0:0:0:0:8",
    "1:2:3:4:5:6:7:8,      1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7::,      1:2:3:4:5:6:7:0",
    "FE80::ABCD,           fe80:0:0:0:0:0:0:abcd",
    "::ffff:127.0.0.1,     0:0:0:0:0:ffff:7f00:1",
    "1:2:3:4:5:6:1.2.3.4,  1:2:3:4:5:6:102:304"
  })
  void reads_every_standard_form(String text, String shown) {
    assertThat(IpParser.parse(text)).map(IpAddress::toString).contains(shown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1.2.3",
        "1.2.3.4.5",
        "01.2.3.4",
        "1.2.3.256",
        "0x1.2.3.4",
        "1.2.3.4 ",
        "+1.2.3.4",
        "1.2.3.٤",
        ":",
        ":::",
        "1:::2",
        "1::2::3",
        ":1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "12345::",
        "g::",
        "::1%lo",
        "[::1]",
        "1.2.3.4::",
        "::1.2.3.4:5",
        "::1.2.3",
        "1:2:3:4:5:6:7:1.2.3.4"
      })
  void rejects_every_other_form(String text) {
    assertThat(IpParser.parse(text)).isEmpty();
  }

  @Test
  void agrees_with_the_jdk_on_addresses_that_it_formats() throws Exception {
    long seed = 20260301;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = new byte[i % 2 == 0 ? 16 : 4];
      random.nextBytes(bytes);
      InetAddress address = InetAddress.getByAddress(bytes);

      IpAddress read = IpParser.parse(address.getHostAddress()).orElseThrow();
      assertThat(read).as("seed %d", seed).isEqualTo(IpAddress.of(address));
      assertThat(read.toInetAddress()).as("seed %d", seed).isEqualTo(address);
      assertThat(IpParser.parse(read.toString())).as("seed %d", seed).contains(read);
    }
  }
}
