// SPDX-License-Identifier: Apache-2.0
package dev.perdure.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.http.RawHttpClient;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlakyServiceTest {

  private static final String TASK = "01a1e3a5-58d0-7000-a3b6-4243e4b38000?handle=h1.1.abc-DEF_123";

  private WebhookReceiver server;
  private FlakyService service;

  @BeforeEach
  void start() throws IOException {
    server = WebhookReceiver.replyingWith(call -> WebhookReceiver.Reply.of(200, "{}"));
    service = FlakyService.start(RandomGenerator.of("L64X128MixRandom"));
    service.setServer(URI.create(server.url("")));
  }

  @AfterEach
  void stop() {
    service.close();
    server.close();
  }

  private int report(String handle) throws IOException {
    String encoded = URLEncoder.encode(handle, StandardCharsets.UTF_8);
    return RawHttpClient.post(service.url().getPort(), "/report?handle=" + encoded, "").status();
  }

  private int pager(String... headers) throws IOException {
    return RawHttpClient.request(service.url().getPort(), "POST", "/pager", headers).status();
  }

  @Test
  void calls_back_its_own_server() throws Exception {
    assertThat(report(server.url("/task/" + TASK))).isEqualTo(202);

    WebhookReceiver.ReceivedCall call = server.next();
    assertThat(call.path() + "?handle=" + call.query().get("handle")).isEqualTo("/task/" + TASK);
    assertThat(call.json().path("new_success").asInt()).isEqualTo(1);
  }

  @Test
  void does_not_call_back_other_servers() throws Exception {
    List<String> others =
        List.of(
            "http://127.0.0.1:1/task/" + TASK,
            server.url("") + "0/task/" + TASK,
            server.url("/key?x=/task/" + TASK),
            server.url("/task/../key"),
            server.url("/task/" + TASK + "/../../key"),
            server.url("@other.example/task/" + TASK),
            "no URL at all",
            "");
    for (String other : others) {
      assertThat(report(other)).as(other).isEqualTo(400);
    }
    assertThat(RawHttpClient.post(service.url().getPort(), "/report", "").status()).isEqualTo(400);
    assertThat(server.count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Origin: https://elsewhere.example",
        "Origin: null",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "Host: rebound.example"
      })
  void refuses_requests_from_web_pages(String header) throws IOException {
    assertThat(pager(header)).isEqualTo(403);
  }

  @Test
  void accepts_requests_from_servers_and_from_the_address_bar() throws IOException {
    assertThat(pager()).isEqualTo(200);
    assertThat(pager("Sec-Fetch-Site: none")).isEqualTo(200);
  }
}
