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

/** A response that stays open until its callback is completed. */
final class JettyResponseStream implements ResponseStream {

  private final Request request;
  private final Response response;
  private final Callback completion;

  JettyResponseStream(Request request, Response response, Callback completion) {
    this.request = request;
    this.response = response;
    this.completion = completion;
  }

  @Override
  public void send(byte[] chunk, Consumer<Boolean> callback) {
    response.write(
        false,
        ByteBuffer.wrap(chunk),
        Callback.from(
            InvocationType.NON_BLOCKING,
            () -> callback.accept(true),
            failure -> {
              callback.accept(false);
              completion.failed(failure);
            }));
  }

  @Override
  public void end() {
    response.write(true, ByteBuffer.allocate(0), completion);
  }

  @Override
  public void abort() {
    // Makes the chunk that is being sent fail, which ends the response.
    request
        .getConnectionMetaData()
        .getConnection()
        .getEndPoint()
        .close(new TimeoutException("the client does not read"));
  }
}
