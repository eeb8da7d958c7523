// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CidrTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8,      10.255.255.255, true",
    "10.0.0.0/8,      11.0.0.0,       false",
    "10.0.0.0/8,      9.255.255.255,  false",
    "10.1.2.3,        10.1.2.3,       true",
    "10.1.2.3,        10.1.2.2,       false",
    "10.1.2.2/31,     10.1.2.3,       true",
    "10.1.2.2/31,     10.1.2.4,       false",
    "0.0.0.0/0,       255.1.2.3,      true",
    "0.0.0.0/0,       ::1,            false",
    "::/0,            ffff::1,        true",
    "::/0,            1.2.3.4,        false",
    "fd00::/8,        fdff::,         true",
    "fd00::/8,        fe00::,         false",
    "fd00:0:0:1::/64, fd00:0:0:1:ffff::, true",
    "fd00:0:0:1::/64, fd00:0:0:2::,   false",
    "fd00::/65,       fd00::7fff:0:0:1, true",
    "fd00::/65,       fd00::8000:0:0:0, false",
    "::1,             ::1,            true",
    "::1,             ::2,            false",
    "::2/127,         ::3,            true",
    "::2/127,         ::1,            false"
  })
  void contains_addresses_with_the_same_prefix(String range, String address, boolean inside) {
    assertThat(Cidr.parse(range).contains(IpParser.parse(address).orElseThrow())).isEqualTo(inside);
  }
}
