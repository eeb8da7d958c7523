// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A callee on this machine that does what its script says with each connection. */
final class ScriptedPeer implements AutoCloseable {

  /** What becomes of one connection. */
  interface Script {
    void play(ScriptedPeer peer, Socket socket) throws IOException, InterruptedException;
  }

  private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");
  private static final int BACKLOG = 1_000;

  private final ServerSocket server;
  private final Script script;
  private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
  private final Semaphore arrivals = new Semaphore(0);
  private final AtomicInteger accepted = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);

  private ScriptedPeer(ServerSocket server, Script script) {
    this.server = server;
    this.script = script;
    Thread.ofVirtual().start(this::listen);
  }

  static ScriptedPeer at(String address, int port, Script script) throws IOException {
    return new ScriptedPeer(
        new ServerSocket(port, BACKLOG, InetAddress.getAllByName(address)[0]), script);
  }

  /** A port on which nobody listens at any address of this machine. */
  static int freePort() throws IOException {
    try (ServerSocket everywhere = new ServerSocket(0)) {
      return everywhere.getLocalPort();
    }
  }

  static ScriptedPeer on(ServerSocket server, Script script) {
    return new ScriptedPeer(server, script);
  }

  static ScriptedPeer of(Script script) throws IOException {
    return at("127.0.0.1", 0, script);
  }

  /** Answers every request with these bytes and hangs up. */
  static ScriptedPeer answering(String answer) throws IOException {
    return of(
        (peer, socket) -> {
          peer.request(socket);
          peer.say(socket, answer);
        });
  }

  /** Reads the request and then says nothing until the caller has gone. */
  static ScriptedPeer hanging() throws IOException {
    return of(
        (peer, socket) -> {
          peer.request(socket);
          peer.untilGone(socket);
        });
  }

  private void listen() {
    try {
      while (!server.isClosed()) {
        Socket socket = server.accept();
        accepted.incrementAndGet();
        arrivals.release();
        Thread.ofVirtual().start(() -> play(socket));
      }
    } catch (IOException e) {
      // Closed, which ends the listening.
    }
  }

  private void play(Socket socket) {
    try (socket) {
      script.play(this, socket);
    } catch (IOException | InterruptedException e) {
      // The caller hung up, which is often what the test wants.
    }
  }

  /** Reads one request, whole. */
  void request(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("gone");
      }
      head.write(next);
    }
    String text = head.toString(StandardCharsets.UTF_8);
    Matcher length = LENGTH.matcher(text);
    int size = length.find() ? Integer.parseInt(length.group(1)) : 0;
    requests.add(text + new String(in.readNBytes(size), StandardCharsets.UTF_8));
  }

  void say(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  void untilGone(Socket socket) throws IOException {
    while (socket.getInputStream().read() >= 0) {
      // What the caller still says does not matter.
    }
  }

  /** Lets this much time pass, or less when the peer closes. */
  boolean pause(int millis) throws InterruptedException {
    return !closed.await(millis, TimeUnit.MILLISECONDS);
  }

  int port() {
    return server.getLocalPort();
  }

  String url() {
    return "http://127.0.0.1:" + port() + "/";
  }

  String nextRequest() throws InterruptedException {
    String request = requests.poll(20, TimeUnit.SECONDS);
    if (request == null) {
      throw new AssertionError("no request came");
    }
    return request;
  }

  void awaitArrivals(int count) throws InterruptedException {
    if (!arrivals.tryAcquire(count, 20, TimeUnit.SECONDS)) {
      throw new AssertionError("%d of %d came".formatted(accepted.get(), count));
    }
  }

  int accepted() {
    return accepted.get();
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
