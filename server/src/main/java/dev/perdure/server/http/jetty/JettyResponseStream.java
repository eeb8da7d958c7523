// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http.jetty;

import dev.perdure.server.http.ResponseStream;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;

/** An answer that goes on: Jetty keeps it open until its callback is told of the end. */
final class JettyResponseStream implements ResponseStream {

  private final Request request;
  private final Response response;
  private final Callback completion;

  JettyResponseStream(Request request, Response response, Callback ended) {
    this.request = request;
    this.response = response;
    this.completion = ended;
  }

  @Override
  public void send(byte[] piece, Consumer<Boolean> wentOut) {
    response.write(
        false,
        ByteBuffer.wrap(piece),
        Callback.from(
            InvocationType.NON_BLOCKING,
            () -> wentOut.accept(true),
            failure -> {
              wentOut.accept(false);
              completion.failed(failure);
            }));
  }

  @Override
  public void end() {
    response.write(true, ByteBuffer.allocate(0), completion);
  }

  @Override
  public void abort() {
    // The piece on its way fails by this, and its failure ends the answer.
    request
        .getConnectionMetaData()
        .getConnection()
        .getEndPoint()
        .close(new TimeoutException("the client does not read"));
  }
}
