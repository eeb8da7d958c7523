// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stands between a server and its PostgreSQL, so that a test can take the database away. */
public final class DatabaseProxy implements AutoCloseable {

  private final int databasePort;
  private final int port = UnusedPort.next();
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private ServerSocket listener;

  private DatabaseProxy(int databasePort) {
    this.databasePort = databasePort;
    this.listener = listen();
  }

  /** Forwards to the database of this URL. */
  public static DatabaseProxy of(String databaseUrl) {
    return new DatabaseProxy(URI.create(databaseUrl).getPort());
  }

  /** The URL of the same database through the proxy. */
  public String url(String databaseUrl) {
    return databaseUrl.replace(":" + databasePort + "/", ":" + port + "/");
  }

  /** Ends all connections and refuses new ones. */
  public void takeAway() {
    close(listener);
    connections.forEach(DatabaseProxy::close);
    connections.clear();
  }

  /** Accepts connections again. */
  public void bringBack() {
    listener = listen();
  }

  private ServerSocket listen() {
    try {
      ServerSocket opened = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
      Thread.ofVirtual().start(() -> accept(opened));
      return opened;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(ServerSocket opened) {
    try {
      while (true) {
        Socket client = opened.accept();
        Socket database = new Socket(InetAddress.getLoopbackAddress(), databasePort);
        connections.add(client);
        connections.add(database);
        Thread.ofVirtual().start(() -> copy(client, database));
        Thread.ofVirtual().start(() -> copy(database, client));
        if (opened.isClosed()) {
          close(client);
        }
      }
    } catch (IOException closed) {
      close(opened);
    }
  }

  private void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException ended) {
      // The other direction is ended below.
    }
    close(from);
    close(to);
    connections.remove(from);
    connections.remove(to);
  }

  private static void close(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    takeAway();
  }
}
