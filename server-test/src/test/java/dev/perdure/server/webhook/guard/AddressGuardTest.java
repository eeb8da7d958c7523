// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {

  private static boolean refused(String allowed, String host, String address) {
    IpAddress ip = IpParser.parse(address).orElseThrow();
    return new AddressGuard(AllowList.parse(allowed)).refusal(host, ip).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.0.0.0",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "191.255.255.255",
        "192.0.1.0",
        "192.0.3.0",
        "192.88.98.255",
        "192.88.100.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "198.51.99.255",
        "198.51.101.0",
        "203.0.112.255",
        "203.0.114.0",
        "223.255.255.255",
        "2000::",
        "2001:200::",
        "2001:db7:ffff::",
        "2001:db9::",
        "2003::",
        "2606:4700:4700::1111",
        "3ffe:ffff::",
        "3fff:1000::"
      })
  void public_addresses_are_allowed_up_to_the_edges_of_the_ranges(String address) {
    assertThat(refused("", address, address)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0.0.0.0 | unspecified",
        "0.255.255.255 | unspecified",
        "10.255.255.255 | private",
        "100.64.0.0 | carrier-grade NAT",
        "100.127.255.255 | carrier-grade NAT",
        "127.255.255.255 | loopback",
        "169.254.255.255 | link-local",
        "172.31.255.255 | private",
        "192.0.0.255 | protocol assignments",
        "192.0.2.255 | documentation",
        "192.88.99.0 | 6to4 relay",
        "192.168.255.255 | private",
        "198.19.255.255 | benchmarking",
        "198.51.100.255 | documentation",
        "203.0.113.255 | documentation",
        "239.255.255.255 | multicast",
        "240.0.0.0 | reserved",
        "255.255.255.254 | reserved",
        "255.255.255.255 | broadcast",
        ":: | unspecified",
        "::1 | loopback",
        "::2 | IPv4-compatible IPv6",
        "::ffff:1.2.3.4 | IPv4-mapped IPv6",
        "64:ff9b::1.2.3.4 | NAT64",
        "64:ff9b:1:2:3:4:5:6 | local NAT64",
        "2001:0:1::1 | Teredo",
        "2001:2::1 | benchmarking",
        "2001:20::1 | protocol assignments",
        "2001:1ff:ffff::1 | protocol assignments",
        "2001:db8:ffff::1 | documentation",
        "2002:ffff::1 | 6to4",
        "3fff:fff:ffff::1 | documentation",
        "fdff:ffff::1 | unique local",
        "fe80::1 | link-local",
        "febf:ffff::1 | link-local",
        "feff:ffff::1 | site-local",
        "ff02::1 | multicast",
        "1fff:ffff::1 | not assigned",
        "4000::1 | not assigned",
        "5f00::1 | not assigned",
        "100::1 | not assigned"
      })
  void reports_the_kind_of_a_refused_address(String address, String kind) {
    AddressGuard guard = new AddressGuard(AllowList.none());
    IpAddress ip = IpParser.parse(address).orElseThrow();

    assertThat(guard.refusal(address, ip))
        .contains(
            "%s is a non-public address (%s): an operator can allow it with WEBHOOK_ALLOW"
                .formatted(ip, kind));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10.1.2.3 | hooks.test resolves to a non-public address (private): an operator can allow it"
            + " with WEBHOOK_ALLOW",
        "169.254.169.254 | hooks.test resolves to a cloud metadata service: an operator can allow it"
            + " with its exact address in WEBHOOK_ALLOW"
      })
  void does_not_reveal_what_a_name_resolves_to(String address, String message) {
    IpAddress ip = IpParser.parse(address).orElseThrow();

    assertThat(new AddressGuard(AllowList.none()).refusal("hooks.test", ip)).contains(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "169.254.169.254",
        "169.254.169.123",
        "169.254.170.2",
        "169.254.170.23",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254"
      })
  void metadata_services_are_allowed_by_exact_address_only(String address) {
    assertThat(refused("", "meta.test", address)).isTrue();
    assertThat(refused("0.0.0.0/0, ::/0", "meta.test", address)).isTrue();
    assertThat(refused("meta.test", "meta.test", address)).isTrue();
    assertThat(refused(address, "meta.test", address)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    // the gateway's range alone allows public embedded addresses
    "64:ff9b::/96,                64:ff9b::8.8.8.8,          false",
    "64:ff9b::/96,                64:ff9b::127.0.0.1,        true",
    "64:ff9b::/96,                64:ff9b::169.254.169.254,  true",
    "'64:ff9b::/96, 10.0.0.0/8',  64:ff9b::10.0.0.1,         false",
    "'64:ff9b::/96, 10.0.0.0/8',  64:ff9b::127.0.0.1,        true",
    "64:ff9b::127.0.0.1,          64:ff9b::127.0.0.1,        false",
    "2002::/16,                   2002:0808:0808::1,         false",
    "2002::/16,                   2002:7f00:1::1,            true",
    "2001::/32,                   2001::f7f7:f7f7,           false",
    "2001::/32,                   2001::80ff:fffe,           true",
    "::ffff:0:0/96,               ::ffff:127.0.0.1,          true",
    "::/96,                       ::127.0.0.1,               true",
    "64:ff9b:1::/48,              64:ff9b:1::10.0.0.1,       true",
    // an allowed embedded address does not allow the outer one
    "127.0.0.0/8,                 ::ffff:127.0.0.1,          true"
  })
  void an_embedded_address_must_be_allowed_too(String allowed, String address, boolean refused) {
    assertThat(refused(allowed, "gateway.test", address)).isEqualTo(refused);
  }

  @Test
  void a_listed_host_is_allowed_whatever_it_resolves_to() {
    assertThat(refused("inside.test", "inside.test", "10.0.0.1")).isFalse();
    assertThat(refused("INSIDE.test", "inside.test", "::1")).isFalse();
    assertThat(refused("inside.test", "other.test", "10.0.0.1")).isTrue();
    assertThat(refused("inside.test", "sub.inside.test", "10.0.0.1")).isTrue();
  }

  @Test
  void a_url_with_a_literal_address_is_checked_early() {
    AddressGuard guard = new AddressGuard(AllowList.none());

    assertThat(guard.refusal(WebhookUrl.parse("http://127.0.0.1/"))).isPresent();
    assertThat(guard.refusal(WebhookUrl.parse("http://[::1]/"))).isPresent();
    assertThat(guard.refusal(WebhookUrl.parse("http://8.8.8.8/"))).isEmpty();
    assertThat(guard.refusal(WebhookUrl.parse("http://localhost/"))).isEmpty();
  }
}
