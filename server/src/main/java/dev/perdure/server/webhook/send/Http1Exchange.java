// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import dev.perdure.policy.RetryAfterHeader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.jspecify.annotations.Nullable;

/** One request and its response over a connection of its own. */
final class Http1Exchange {

  private static final int MAX_INTERIM_RESPONSES = 8;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final Http1Config LIMITS =
      Http1Config.custom().setMaxLineLength(8 * 1024).setMaxHeaderCount(64).build();

  private final DefaultBHttpClientConnection connection = new DefaultBHttpClientConnection(LIMITS);
  private final InstantSource clock;

  Http1Exchange(Socket socket, InstantSource clock) throws IOException {
    this.clock = clock;
    connection.bind(socket);
  }

  CallResult.Responded execute(WebhookRequest call) throws IOException, HttpException {
    send(call);
    ClassicHttpResponse head = readHead();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    boolean truncated = !readBody(head, body);
    return new CallResult.Responded(
        head.getCode(), retryAfter(head), body.toString(StandardCharsets.UTF_8), truncated);
  }

  private void send(WebhookRequest call) throws IOException, HttpException {
    ClassicHttpRequest request =
        new BasicClassicHttpRequest(call.verb().name(), null, null, call.url().target());
    request.addHeader("Host", call.url().authority());
    call.headers().forEach(request::addHeader);
    request.addHeader("Connection", "close");
    byte[] body = call.body() == null ? new byte[0] : call.body().getBytes(StandardCharsets.UTF_8);
    if (call.verb().takesBody()) {
      request.addHeader("Content-Length", body.length);
      request.setEntity(new ByteArrayEntity(body, null));
    }
    connection.sendRequestHeader(request);
    if (call.verb().takesBody()) {
      connection.sendRequestEntity(request);
    }
    connection.flush();
  }

  private ClassicHttpResponse readHead() throws IOException, HttpException {
    for (int i = 0; i <= MAX_INTERIM_RESPONSES; i++) {
      ClassicHttpResponse head = connection.receiveResponseHeader();
      int status = head.getCode();
      if (status < 100 || status > 999) {
        throw new ProtocolException("the status is invalid");
      }
      if (status >= 200) {
        return head;
      }
    }
    throw new ProtocolException("too many interim responses");
  }

  /** Reads the body up to the limit; false when there was more. */
  private boolean readBody(ClassicHttpResponse head, ByteArrayOutputStream body)
      throws IOException, HttpException {
    if (head.getCode() == NO_CONTENT || head.getCode() == NOT_MODIFIED) {
      return true;
    }
    connection.receiveResponseEntity(head);
    HttpEntity entity = head.getEntity();
    try {
      return entity == null || readBody(entity.getContent(), body);
    } catch (IOException e) {
      // A failure counts without its whole body; a success must be complete.
      if (head.getCode() < 300) {
        throw e;
      }
      return false;
    }
  }

  /** Does not close the stream: that would read the rest, which may never end. */
  private static boolean readBody(InputStream content, ByteArrayOutputStream body)
      throws IOException {
    byte[] buffer = new byte[8 * 1024];
    while (body.size() < SenderOptions.MAX_RESPONSE_BYTES) {
      int most = Math.min(buffer.length, SenderOptions.MAX_RESPONSE_BYTES - body.size());
      int count = content.read(buffer, 0, most);
      if (count < 0) {
        return true;
      }
      body.write(buffer, 0, count);
    }
    return content.read() < 0;
  }

  private @Nullable Duration retryAfter(ClassicHttpResponse head) {
    Instant localTime = clock.instant();
    Header date = head.getFirstHeader("Date");
    Instant peerTime =
        Optional.ofNullable(date)
            .map(Header::getValue)
            .flatMap(text -> RetryAfterHeader.parseHttpDate(text, localTime))
            .orElse(localTime);
    List<String> values =
        Arrays.stream(head.getHeaders("Retry-After")).map(Header::getValue).toList();
    return RetryAfterHeader.longest(values, peerTime).orElse(null);
  }
}
