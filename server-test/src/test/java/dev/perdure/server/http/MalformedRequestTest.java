// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
@Isolated
class MalformedRequestTest {

  private static void assertProblem(RawResponse response, int status) {
    assertThat(response.status()).isEqualTo(status);
    assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(response.json().get("status").intValue()).isEqualTo(status);
    assertThat(response.body()).doesNotContain("jetty", "Exception");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /fine\r\n\r\n",
        "nonsense\r\n\r\n",
        "GET /fine HTTP/1.1\r\n\r\n",
        "GET /fine HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET /fine HTTP/9.9\r\nHost: localhost\r\n\r\n",
        "GET /fine%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /fine HTTP/1.1\r\nHost: localhost\r\nX : y\r\n\r\n",
        "PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST /length HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        "POST /length HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
            + "Content-Length: 3\r\n\r\nabc",
      })
  void is_refused_with_a_problem_document(String request) throws IOException {
    try (TestListener server = new TestListener();
        RawHttpClient http = RawHttpClient.to(server.port())) {
      RawResponse response = http.send(request).readResponse();

      assertThat(response.status()).isIn(400, 505);
      assertProblem(response, response.status());
    }
  }
}
