// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GzipEncoderTest {

  private static final String LARGE = "[" + "\"é\", ".repeat(1_000) + "1]";

  private static Request accepting(String... encodings) {
    Headers headers =
        Headers.from(
            each -> {
              for (String encoding : encodings) {
                each.accept("Accept-Encoding", encoding);
              }
            });
    return Request.of("GET", "/task", QueryParameters.parse(null), headers, () -> new byte[0]);
  }

  private static Response large(String type) {
    return Response.text(HttpStatus.OK, type, LARGE);
  }

  private static boolean isCompressed(Request request, Response response) {
    Response encoded = GzipEncoder.encode(request, response);
    boolean compressed = "gzip".equals(encoded.headers().get("Content-Encoding"));
    assertThat(encoded.body().length < response.body().length).isEqualTo(compressed);
    return compressed;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"gzip", "GZIP", "gzip, deflate, br, zstd", "br;q=1, gzip ; q=0.5", "x-gzip"})
  void compresses_json_for_clients_that_accept_it(String encoding) throws IOException {
    Response encoded = GzipEncoder.encode(accepting(encoding), large("application/json"));

    assertThat(encoded.status()).isEqualTo(200);
    assertThat(encoded.headers())
        .containsEntry("Content-Encoding", "gzip")
        .containsEntry("Content-Type", "application/json")
        .containsEntry("Vary", "Accept-Encoding");
    assertThat(encoded.body().length).isLessThan(LARGE.length() / 10);
    GZIPInputStream body = new GZIPInputStream(new ByteArrayInputStream(encoded.body()));
    assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(LARGE);
    assertThat(isCompressed(accepting("br", encoding), large("application/problem+json"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "br", "identity", "gzip;q=0", "gzip; q=0.000", "gzipped", "gzip;x"})
  void sends_json_as_it_is_to_other_clients(String encoding) {
    Response encoded = GzipEncoder.encode(accepting(encoding), large("application/json"));

    assertThat(encoded.headers())
        .doesNotContainKey("Content-Encoding")
        .containsEntry("Vary", "Accept-Encoding");
    assertThat(encoded.body()).asString(StandardCharsets.UTF_8).isEqualTo(LARGE);
    assertThat(isCompressed(accepting(), large("application/json"))).isFalse();
  }

  @Test
  void leaves_small_bodies_other_types_and_streams_alone() {
    Request request = accepting("gzip");
    String limit = "x".repeat(4 * 1024);

    assertThat(isCompressed(request, Response.text(200, "application/json", limit))).isFalse();
    assertThat(isCompressed(request, Response.text(200, "application/json", limit + "x"))).isTrue();
    assertThat(isCompressed(request, large("text/plain"))).isFalse();
    assertThat(isCompressed(request, large("application/jsonp"))).isFalse();
    Response stream = Response.streaming("application/json", opened -> {});
    assertThat(GzipEncoder.encode(request, stream)).isSameAs(stream);
  }

  @Test
  void a_server_compresses_its_responses(@TempDir Path folder) throws Exception {
    try (TestServer server = TestServer.in(folder);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(server.url().resolve("/openapi.json"))
              .header("Accept-Encoding", "gzip")
              .build();
      HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());

      assertThat(response.headers().firstValue("Content-Encoding")).contains("gzip");
      GZIPInputStream body = new GZIPInputStream(new ByteArrayInputStream(response.body()));
      assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(server.get("/openapi.json").body());
    }
  }

  @Test
  void keeps_what_happens_if_the_client_is_gone() {
    Response response = large("application/json").onClientGone(() -> {});

    Response encoded = GzipEncoder.encode(accepting("gzip"), response);

    assertThat(encoded.headers()).containsKey("Content-Encoding");
    assertThat(encoded.clientGoneAction()).isSameAs(response.clientGoneAction()).isNotNull();
  }
}
