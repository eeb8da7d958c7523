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

/** A peer on this machine that handles each connection as its script says. */
final class ScriptedPeer implements AutoCloseable {

  /** Handles one connection. */
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

  /** A port that is free on every address of this machine. */
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

  /** Responds to every request with these bytes and closes the connection. */
  static ScriptedPeer respondingWith(String response) throws IOException {
    return of(
        (peer, socket) -> {
          peer.readRequest(socket);
          peer.send(socket, response);
        });
  }

  /** Reads the request and then sends nothing until the caller disconnects. */
  static ScriptedPeer hanging() throws IOException {
    return of(
        (peer, socket) -> {
          peer.readRequest(socket);
          peer.awaitDisconnect(socket);
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
      // The server socket was closed.
    }
  }

  private void play(Socket socket) {
    try (socket) {
      script.play(this, socket);
    } catch (IOException | InterruptedException e) {
      // The caller disconnected, which many tests expect.
    }
  }

  /** Reads one complete request. */
  void readRequest(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the caller disconnected");
      }
      head.write(next);
    }
    String text = head.toString(StandardCharsets.UTF_8);
    Matcher length = LENGTH.matcher(text);
    int size = length.find() ? Integer.parseInt(length.group(1)) : 0;
    requests.add(text + new String(in.readNBytes(size), StandardCharsets.UTF_8));
  }

  void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  void awaitDisconnect(Socket socket) throws IOException {
    while (socket.getInputStream().read() >= 0) {
      // Ignore what the caller sends.
    }
  }

  /** Waits for this long; false when the peer closes meanwhile. */
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
      throw new AssertionError("no request arrived");
    }
    return request;
  }

  void awaitArrivals(int count) throws InterruptedException {
    if (!arrivals.tryAcquire(count, 20, TimeUnit.SECONDS)) {
      throw new AssertionError("%d of %d arrived".formatted(accepted.get(), count));
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
