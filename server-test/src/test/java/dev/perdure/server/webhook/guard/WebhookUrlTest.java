// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookUrlTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http://a.test | false | a.test | 80 | / | a.test",
        "HTTPS://A.Test/ | true | a.test | 443 | / | a.test",
        "https://a.test:8443/x | true | a.test | 8443 | /x | a.test:8443",
        "http://a.test:443/ | false | a.test | 443 | / | a.test:443",
        "http://a.test:/x | false | a.test | 80 | /x | a.test",
        "http://a.test?q=1 | false | a.test | 80 | /?q=1 | a.test",
        "http://a.test//x//y?a=b?c | false | a.test | 80 | //x//y?a=b?c | a.test",
        "http://my_service/x | false | my_service | 80 | /x | my_service",
        "http://xn--bcher-kva.test/ | false | xn--bcher-kva.test | 80 | / | xn--bcher-kva.test",
        "http://192.0.2.1:1/ | false | 192.0.2.1 | 1 | / | 192.0.2.1:1",
        "http://[2001:DB8::1]:8080/ | false | 2001:db8::1 | 8080 | / | [2001:db8::1]:8080",
        "http://1.a.test/ | false | 1.a.test | 80 | / | 1.a.test",
        "http://a.test/user@host:1/%7Ex | false | a.test | 80 | /user@host:1/%7Ex | a.test"
      })
  void parses_a_url(
      String text, boolean secure, String host, int port, String target, String authority) {
    WebhookUrl url = WebhookUrl.parse(text);

    assertThat(url).isEqualTo(new WebhookUrl(secure, host, port, target));
    assertThat(url.authority()).isEqualTo(authority);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.test/x | is not a URL: write it as https://example.com/path",
        "http:a.test | is not a URL: write it as https://example.com/path",
        "ftp://a.test/ | must begin with http:// or https://",
        "http:/// | has no host",
        "http://a.test/#x | has a fragment (#…), which is never sent: leave it out",
        "http://u:secret@a.test/ | has a user name or password: send them in a header",
        "http://a.test/a b | has characters that must be percent-encoded",
        "http://a.test/a\\b | has characters that must be percent-encoded",
        "http://a.test/%4 | has characters that must be percent-encoded",
        "http://a.test/%zz | has characters that must be percent-encoded",
        "http://a.test/é | has characters that must be percent-encoded",
        "http://a.test:0/ | has a port that is not between 1 and 65535",
        "http://a.test:65536/ | has a port that is not between 1 and 65535",
        "http://a.test:80:80/ | must have a host, and optionally a port, between // and the path",
        "http://a.test:x/ | must have a host, and optionally a port, between // and the path",
        "http://[::1%25lo]/ | has brackets without a valid IPv6 address",
        "http://[1.2.3.4]/ | has brackets without a valid IPv6 address",
        "http://a.test./ | has a host that ends in a dot: remove the dot",
        "http://0x7f.1/ | has an IPv4 address in an unusual form: write it as 192.0.2.1",
        "http://0177.0.0.1/ | has an IPv4 address in an unusual form: write it as 192.0.2.1",
        "http://a.1/ | has an IPv4 address in an unusual form: write it as 192.0.2.1",
        "http://a.0x/ | has an IPv4 address in an unusual form: write it as 192.0.2.1",
        "http://bücher.test/ | has a host that is not plain ASCII: use its punycode form (xn--…)",
        "http://a%2eb/ | has an invalid host name: use letters, digits, - and _, separated by dots",
        "http://a..b/ | has an invalid host name: use letters, digits, - and _, separated by dots",
        "http://a-.test/ | has an invalid host name: use letters, digits, - and _, separated by dots"
      })
  void reports_an_invalid_url_without_repeating_it(String text, String message) {
    assertThatThrownBy(() -> WebhookUrl.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void accepts_a_long_target() {
    String target = "/" + "%41x".repeat(500);

    assertThat(WebhookUrl.parse("http://a.test" + target).target()).isEqualTo(target);
  }

  @Test
  void has_limits() {
    assertThatThrownBy(() -> WebhookUrl.parse("http://a.test/" + "x".repeat(2_040)))
        .hasMessage("must have at most 2048 characters");
    assertThatThrownBy(() -> WebhookUrl.parse("http://" + "a.".repeat(127) + "a/"))
        .hasMessage("has a host of more than 253 characters");
    assertThatThrownBy(() -> WebhookUrl.parse("http://" + "a".repeat(64) + "/"))
        .hasMessageContaining("invalid host name");
    assertThat(WebhookUrl.parse("http://" + "a".repeat(63) + "/").host()).hasSize(63);
  }

  @ParameterizedTest
  @CsvSource({
    "http://a.test,        /?handle=http%3A%2F%2Fb%2Fx%3Ftoken%3D1%20%26",
    "http://a.test/x,      /x?handle=http%3A%2F%2Fb%2Fx%3Ftoken%3D1%20%26",
    "http://a.test/x?,     /x?handle=http%3A%2F%2Fb%2Fx%3Ftoken%3D1%20%26",
    "http://a.test/x?y=1,  /x?y=1&handle=http%3A%2F%2Fb%2Fx%3Ftoken%3D1%20%26"
  })
  void adds_a_query_parameter(String text, String target) {
    WebhookUrl url = WebhookUrl.parse(text).withQueryParameter("handle", "http://b/x?token=1 &");

    assertThat(url.target()).isEqualTo(target);
  }

  @Test
  void to_string_hides_the_query() {
    assertThat(WebhookUrl.parse("https://a.test:1/x?key=secret"))
        .hasToString("https://a.test:1/x?…");
    assertThat(WebhookUrl.parse("http://[::1]/x")).hasToString("http://[::1]/x");
  }
}
