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

/** Whom the server calls. Each call has a thread here; the server limits how many there are. */
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

  /** What is done with a call. */
  @FunctionalInterface
  interface CallHandler {
    void handle(String target, Reply reply) throws IOException, InterruptedException;
  }

  /** Answers 200, and hangs up. */
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

  /** An action that calls this one. */
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
      HttpInput in = new HttpInput(call.getInputStream());
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

  /** How often it was called. */
  int calls() {
    return calls.get();
  }

  /** How many calls have not been answered yet. */
  int openCalls() {
    return openCalls.get();
  }

  /** Figures of calls that went wrong would mean nothing. */
  void requireNoFailure() throws IOException {
    Exception met = failure.get();
    if (met != null) {
      throw new IOException("the callee met " + met, met);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
