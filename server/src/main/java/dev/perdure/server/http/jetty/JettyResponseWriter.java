// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http.jetty;

import dev.perdure.server.http.StreamingBody;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Writes responses to Jetty. */
final class JettyResponseWriter {

  private JettyResponseWriter() {}

  static void write(
      dev.perdure.server.http.Response result,
      Request request,
      Response response,
      Callback callback) {
    response.setStatus(result.status());
    result.headers().forEach(response.getHeaders()::put);
    StreamingBody streamingBody = result.streaming();
    if (streamingBody == null) {
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, result.body().length);
      response.write(true, ByteBuffer.wrap(result.body()), callback);
    } else if (HttpMethod.HEAD.is(request.getMethod())) {
      response.write(true, ByteBuffer.allocate(0), callback);
    } else {
      streamingBody.open(new JettyResponseStream(request, response, callback));
    }
  }
}
