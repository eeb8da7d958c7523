// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server that the measured server calls. Each call gets a virtual thread; the measured
 * server limits the number of concurrent calls.
 */
final class StubCallee implements Closeable {

  private static final int SOCKET_BACKLOG = 1_000;
  private static final byte[] OK =
      "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".getBytes(ISO_8859_1);

  private final ServerSocket socket;
  private final CallHandler handler;
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger openCalls = new AtomicInteger();
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  private StubCallee(ServerSocket socket, CallHandler handler) {
    this.socket = socket;
    this.handler = handler;
  }

  /** Handles one call. */
  @FunctionalInterface
  interface CallHandler {
    void handle(String target, Reply reply) throws IOException, InterruptedException;
  }

  /** Sends a 200 response and closes the connection. */
  @FunctionalInterface
  interface Reply {
    void ok() throws IOException;
  }

  static StubCallee open(CallHandler handler) throws IOException {
    StubCallee callee =
        new StubCallee(
            new ServerSocket(0, SOCKET_BACKLOG, InetAddress.getLoopbackAddress()), handler);
    Thread.ofPlatform().daemon().name("callee").start(callee::accept);
    return callee;
  }

  /** The JSON of a webhook action that calls this server. */
  String action(String path, String completion) {
    return """
        {"kind":"Webhook","params":{"url":"http://127.0.0.1:%d%s","verb":"Post",\
        "completion":"%s","timeout":"2m"}}"""
        .formatted(socket.getLocalPort(), path, completion);
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket call = socket.accept();
        Thread.ofVirtual().start(() -> handle(call));
      } catch (IOException e) {
        if (!socket.isClosed()) {
          failure.set(e);
        }
      }
    }
  }

  private void handle(Socket call) {
    openCalls.incrementAndGet();
    try (call) {
      HttpResponseReader in = new HttpResponseReader(call.getInputStream());
      String head = in.head();
      if (head != null) {
        calls.incrementAndGet();
        byte[] unused = in.body(head);
        handler.handle(
            head.split(" ", 3)[1],
            () -> {
              call.getOutputStream().write(OK);
              call.close();
            });
      }
    } catch (IOException | RuntimeException e) {
      failure.set(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      openCalls.decrementAndGet();
    }
  }

  /** The number of calls so far. */
  int calls() {
    return calls.get();
  }

  /** The number of calls without a response yet. */
  int openCalls() {
    return openCalls.get();
  }

  /** Throws if a call failed: the measurement would be worthless. */
  void requireNoFailure() throws IOException {
    Exception thrown = failure.get();
    if (thrown != null) {
      throw new IOException("The callee failed: " + thrown, thrown);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
