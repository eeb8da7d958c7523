// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http.jetty;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Writes answers out. */
final class Answers {

  private Answers() {}

  static void write(dev.perdure.server.http.Response answer, Response response, Callback callback) {
    response.setStatus(answer.status());
    answer.headers().forEach(response.getHeaders()::put);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.body().length);
    response.write(true, ByteBuffer.wrap(answer.body()), callback);
  }
}
