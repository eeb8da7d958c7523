// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http.jetty;

import dev.perdure.server.http.Channel;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;

/** An answer that goes on: Jetty keeps it open until its callback is told of the end. */
final class OpenAnswer implements Channel {

  private final Request request;
  private final Response response;
  private final Callback ended;

  OpenAnswer(Request request, Response response, Callback ended) {
    this.request = request;
    this.response = response;
    this.ended = ended;
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
              ended.failed(failure);
            }));
  }

  @Override
  public void end() {
    response.write(true, ByteBuffer.allocate(0), ended);
  }

  @Override
  public void cut() {
    // The piece on its way fails by this, and its failure ends the answer.
    request
        .getConnectionMetaData()
        .getConnection()
        .getEndPoint()
        .close(new TimeoutException("the client does not read"));
  }
}
