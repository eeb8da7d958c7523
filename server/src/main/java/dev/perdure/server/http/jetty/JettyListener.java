// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http.jetty;

import dev.perdure.server.http.CannotListenException;
import dev.perdure.server.http.HttpLimits;
import dev.perdure.server.http.RequestHandler;
import java.io.IOException;
import java.net.BindException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.component.Graceful;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens on one address and runs the handler for each request on a virtual thread. */
public final class JettyListener {

  private static final Logger LOG = LoggerFactory.getLogger(JettyListener.class);
  private static final int PLATFORM_THREADS = 16;
  private static final int ACCEPT_QUEUE_SIZE = 256;

  /** While the listener stops it waits for all connections, so idle ones are closed sooner. */
  private static final int SHUTDOWN_IDLE_DIVISOR = 30;

  private static final Duration SWEEP_INTERVAL = Duration.ofMillis(250);

  private final Server server;
  private final ServerConnector connector;
  private final RequestReadTimeouts readTimeouts;
  private final GracefulHandler gracefulHandler = new GracefulHandler();

  private JettyListener(HttpLimits limits, Supplier<Duration> clock) {
    QueuedThreadPool threads = new QueuedThreadPool(PLATFORM_THREADS);
    threads.setName("http");
    threads.setVirtualThreadsExecutor(VirtualThreads.getNamedVirtualThreadsExecutor("http-"));
    server = new Server(threads);
    connector = connector(server, new HttpConnectionFactory(http(limits)));
    readTimeouts = new RequestReadTimeouts(limits.readTimeout(), clock);
  }

  /**
   * Starts to listen.
   *
   * @param port 0 for any free port
   * @param clock a monotonic clock
   * @throws CannotListenException if the address is in use or does not belong to this machine
   */
  public static JettyListener start(
      String address,
      int port,
      HttpLimits limits,
      Supplier<Duration> clock,
      RequestHandler requestHandler) {
    JettyListener listener = new JettyListener(limits, clock);
    listener.connector.setHost(address);
    listener.connector.setPort(port);
    listener.connector.setIdleTimeout(limits.idleTimeout().toMillis());
    listener.connector.setShutdownIdleTimeout(
        limits.idleTimeout().toMillis() / SHUTDOWN_IDLE_DIVISOR);
    listener.connector.setAcceptQueueSize(ACCEPT_QUEUE_SIZE);
    listener.connector.addBean(listener.readTimeouts);
    listener.server.addConnector(listener.connector);
    listener.server.addBean(
        new NetworkConnectionLimit(limits.maxConnections(), listener.connector));
    listener.server.setErrorHandler(new JettyErrorHandler());
    listener.gracefulHandler.setHandler(
        new JettyRequestHandler(requestHandler, limits, listener.readTimeouts));
    listener.server.setHandler(listener.gracefulHandler);
    listener.start(address, port);
    return listener;
  }

  private static ServerConnector connector(Server server, HttpConnectionFactory connections) {
    return new ServerConnector(server, 1, 1, connections) {
      @Override
      protected SocketChannelEndPoint newEndPoint(
          SocketChannel channel, ManagedSelector selector, SelectionKey key) {
        SocketChannelEndPoint endPoint =
            new PeekingEndPoint(channel, selector, key, getScheduler());
        endPoint.setIdleTimeout(getIdleTimeout());
        return endPoint;
      }
    };
  }

  private static HttpConfiguration http(HttpLimits limits) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(limits.maxHeaderBytes());
    // The names of kinds in paths may have a slash or a percent sign, encoded. They stay encoded
    // until the path has been split.
    http.setUriCompliance(
        UriCompliance.RFC3986.with(
            "RFC3986_ENCODED_NAMES",
            Violation.AMBIGUOUS_PATH_SEPARATOR,
            Violation.AMBIGUOUS_PATH_ENCODING));
    return http;
  }

  private void start(String address, int port) {
    try {
      server.start();
      sweep();
    } catch (IOException | UnresolvedAddressException e) {
      stopQuietly(e);
      throw new CannotListenException(bindErrorMessage(address, port, e), e);
    } catch (Exception e) {
      stopQuietly(e);
      throw new IllegalStateException("the HTTP listener cannot start", e);
    }
  }

  private static String bindErrorMessage(String address, int port, Exception e) {
    String target = (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
    if (e.getCause() instanceof BindException bind) {
      String message = String.valueOf(bind.getMessage());
      return message.contains("in use")
          ? "%s is in use by another program".formatted(target)
          : "cannot listen on %s: %s".formatted(target, message);
    }
    return "cannot listen on %s: %s".formatted(target, e.getMessage());
  }

  private void stopQuietly(Exception reason) {
    try {
      server.stop();
    } catch (Exception e) {
      reason.addSuppressed(e);
    }
  }

  private void sweep() {
    try {
      readTimeouts.sweep();
    } catch (RuntimeException e) {
      LOG.warn("the check for slow requests failed", e);
    } finally {
      if (server.isRunning()) {
        connector
            .getScheduler()
            .schedule(this::sweep, SWEEP_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  /** The port that it really listens on. */
  public int port() {
    return connector.getLocalPort();
  }

  /**
   * Accepts no more requests, waits for running ones up to the timeout, and closes.
   *
   * @return true if no request was cut off
   */
  public boolean stop(Duration timeout) {
    boolean ended = !server.isRunning() || awaitRequests(timeout);
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the HTTP listener cannot stop", e);
    }
    return ended;
  }

  private boolean awaitRequests(Duration timeout) {
    try {
      Graceful.shutdown(server).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return noRequestWasCutOff(timeout);
    } catch (ExecutionException e) {
      LOG.warn("could not wait for running requests", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /** Jetty also waits for connections without a request; closing those is no loss. */
  private boolean noRequestWasCutOff(Duration timeout) {
    long requests = gracefulHandler.getCurrentRequestCount();
    if (requests > 0) {
      LOG.warn(
          "{} cut off after {} s",
          requests == 1 ? "1 request was" : requests + " requests were",
          timeout.toMillis() / 1_000.0);
    }
    return requests == 0;
  }
}
