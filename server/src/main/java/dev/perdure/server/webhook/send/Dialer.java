// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import dev.perdure.server.webhook.guard.AddressGuard;
import dev.perdure.server.webhook.guard.IpAddress;
import dev.perdure.server.webhook.guard.WebhookUrl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the connection of a call. It looks up the name once, every address of it must pass the
 * guard, and the socket connects to one of these addresses. After the guard, only the {@code Host}
 * header and the certificate check use the name.
 */
final class Dialer {

  private static final Logger LOG = LoggerFactory.getLogger(Dialer.class);
  private static final int MAX_ADDRESSES_TRIED = 4;

  private final AddressGuard guard;
  private final BoundedResolver resolver;
  private final SenderOptions options;

  Dialer(AddressGuard guard, BoundedResolver resolver, SenderOptions options) {
    this.guard = guard;
    this.resolver = resolver;
    this.options = options;
  }

  /**
   * Opens a connection, with TLS for https.
   *
   * @throws AddressRefusedException when an address of the host may not be reached
   */
  Socket dial(WebhookUrl url, SendDeadline sendDeadline, Duration timeout) throws IOException {
    Socket socket = connect(url, allowedAddresses(url, timeout), sendDeadline);
    return url.secure() ? startTls(socket, url) : socket;
  }

  private List<InetAddress> allowedAddresses(WebhookUrl url, Duration timeout) throws IOException {
    Optional<IpAddress> literal = url.literalAddress();
    if (literal.isPresent()) {
      check(url, literal.get());
      return List.of(literal.get().toInetAddress());
    }
    List<InetAddress> found = resolver.resolve(url.host(), shorter(timeout));
    if (found.isEmpty()) {
      throw new UnknownHostException("the host " + url.host() + " has no address");
    }
    for (InetAddress address : found) {
      check(url, IpAddress.of(address));
    }
    return found;
  }

  private void check(WebhookUrl url, IpAddress address) throws AddressRefusedException {
    Optional<String> refusal = guard.refusal(url.host(), address);
    if (refusal.isPresent()) {
      if (url.literalAddress().isEmpty()) {
        // Only for the operator: the submitter must not learn what a name resolves to.
        LOG.info("webhook refused: {} resolves to {}", url.host(), address);
      }
      throw new AddressRefusedException(refusal.get());
    }
  }

  private Duration shorter(Duration timeout) {
    return timeout.compareTo(options.connectTimeout()) < 0 ? timeout : options.connectTimeout();
  }

  /** Connects to the first address that accepts. The addresses share the connect timeout. */
  private Socket connect(WebhookUrl url, List<InetAddress> allowed, SendDeadline sendDeadline)
      throws IOException {
    List<InetAddress> tried = allowed.subList(0, Math.min(allowed.size(), MAX_ADDRESSES_TRIED));
    Duration share = options.connectTimeout().dividedBy(tried.size());
    IOException last = null;
    for (InetAddress address : tried) {
      try {
        return connect(new InetSocketAddress(address, url.port()), share, sendDeadline);
      } catch (IOException e) {
        last = e;
      }
    }
    String reason = last == null ? "no address" : last.getMessage();
    String message = "cannot connect to %s: %s".formatted(url.authority(), reason);
    throw last instanceof SocketTimeoutException
        ? new SocketTimeoutException(message)
        : new IOException(message, last);
  }

  private static Socket connect(
      InetSocketAddress address, Duration patience, SendDeadline sendDeadline) throws IOException {
    // System properties may name a proxy, which could connect to any address.
    Socket socket = new Socket(Proxy.NO_PROXY);
    try {
      sendDeadline.attach(socket);
      socket.setTcpNoDelay(true);
      socket.connect(address, Math.clamp(patience.toMillis(), 1, Integer.MAX_VALUE));
      return socket;
    } catch (IOException e) {
      SendDeadline.closeQuietly(socket);
      throw e;
    }
  }

  private Socket startTls(Socket socket, WebhookUrl url) throws IOException {
    SSLSocket encrypted =
        (SSLSocket) options.tls().createSocket(socket, url.host(), url.port(), false);
    SSLParameters parameters = encrypted.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    encrypted.setSSLParameters(parameters);
    encrypted.startHandshake();
    return encrypted;
  }
}
