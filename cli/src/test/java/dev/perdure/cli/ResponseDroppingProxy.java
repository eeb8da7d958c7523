// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Forwards requests to a server and drops the first responses. */
final class ResponseDroppingProxy implements AutoCloseable {

  private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");

  private final ServerSocket socket;
  private final int port;
  private final int dropped;
  private final AtomicInteger forwarded = new AtomicInteger();

  ResponseDroppingProxy(int port, int dropped) throws IOException {
    this.socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    this.port = port;
    this.dropped = dropped;
    Thread.ofVirtual().start(this::accept);
  }

  String url() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  int forwarded() {
    return forwarded.get();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try (Socket caller = socket.accept();
          Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
        server.getOutputStream().write(message(caller.getInputStream()));
        byte[] response = message(server.getInputStream());
        if (forwarded.incrementAndGet() > dropped) {
          caller.getOutputStream().write(response);
        }
      } catch (IOException e) {
        // The test is over, or the caller has gone.
      }
    }
  }

  /** Reads the headers and the body. */
  private static byte[] message(InputStream in) throws IOException {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    while (!message.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("ended early");
      }
      message.write(next);
    }
    Matcher length = LENGTH.matcher(message.toString(StandardCharsets.ISO_8859_1));
    if (length.find()) {
      message.write(in.readNBytes(Integer.parseInt(length.group(1))));
    }
    return message.toByteArray();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
