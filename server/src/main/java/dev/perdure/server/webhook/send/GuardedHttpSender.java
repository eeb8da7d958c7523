// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import dev.perdure.policy.DurationText;
import dev.perdure.server.webhook.guard.AddressGuard;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import org.apache.hc.core5.http.HttpException;

/**
 * Sends webhooks over sockets that are connected to a checked address, with one connection for each
 * call.
 *
 * <p>A connection is never reused. A kept connection can die between two calls, and then it is
 * unknown whether the second call was processed. And kept connections need a pool, in which a slow
 * peer can hold what a fast one needs. The price is a handshake for each call.
 */
public final class GuardedHttpSender implements HttpSender, AutoCloseable {

  private static final int MAX_REASON_LENGTH = 300;

  private final SenderOptions options;
  private final HostLimiter limiter;
  private final BoundedResolver resolver;
  private final Dialer dialer;
  private final SendDeadlineTimer timer = new SendDeadlineTimer();

  private GuardedHttpSender(AddressGuard guard, NameResolver resolver, SenderOptions options) {
    this.options = options;
    this.limiter = new HostLimiter(options.concurrency(), options.perHost());
    this.resolver = new BoundedResolver(resolver, options.monotonic());
    this.dialer = new Dialer(guard, this.resolver, options);
  }

  /** Opens a sender, whose threads run until {@link #close}. */
  public static GuardedHttpSender create(
      AddressGuard guard, NameResolver resolver, SenderOptions options) {
    return new GuardedHttpSender(guard, resolver, options);
  }

  @Override
  public CallResult send(WebhookRequest call) {
    String host = call.url().authority();
    Duration since = options.monotonic().get();
    if (!limiter.tryAcquire(host, since)) {
      return new CallResult.Throttled(limiter.retryIn(host, since));
    }
    try (SendDeadline sendDeadline = timer.start(call.timeout())) {
      return exchange(call, sendDeadline);
    } finally {
      limiter.release(host, since, options.monotonic().get());
    }
  }

  private CallResult exchange(WebhookRequest call, SendDeadline sendDeadline) {
    Socket socket;
    try {
      socket = dialer.dial(call.url(), sendDeadline, call.timeout());
    } catch (AddressRefusedException e) {
      return CallResult.Refusal.ofAddress(reason(e));
    } catch (ThrottledException e) {
      return new CallResult.Throttled(e.retryIn());
    } catch (IOException e) {
      return timedOut(e, sendDeadline)
          ? new CallResult.TimedOut(timeoutReason(e, call, sendDeadline))
          : new CallResult.Unsent(reason(e), cause(e));
    }
    try {
      return new Http1Exchange(socket, options.clock()).execute(call);
    } catch (IOException e) {
      return timedOut(e, sendDeadline)
          ? new CallResult.TimedOut(timeoutReason(e, call, sendDeadline))
          : new CallResult.Unknown(reason(e), e);
    } catch (HttpException e) {
      // The exception's message quotes the peer, which may be an internal service.
      return new CallResult.Unknown(
          "the response is not valid HTTP/1.1 or exceeds a limit", new ProtocolException());
    }
  }

  private static boolean timedOut(IOException e, SendDeadline sendDeadline) {
    return sendDeadline.isExpired() || e instanceof SocketTimeoutException;
  }

  private static String timeoutReason(
      IOException e, WebhookRequest call, SendDeadline sendDeadline) {
    return sendDeadline.isExpired()
        ? "no complete response within " + DurationText.format(call.timeout())
        : reason(e);
  }

  /** What happened: the dialer only adds the host to the message. */
  private static IOException cause(IOException e) {
    return e.getCause() instanceof IOException cause && e.getClass() == IOException.class
        ? cause
        : e;
  }

  private static String reason(IOException e) {
    if (Thread.currentThread().isInterrupted()) {
      return "interrupted";
    }
    String text = Optional.ofNullable(e.getMessage()).orElse(e.getClass().getSimpleName());
    String line = text.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
    return line.length() <= MAX_REASON_LENGTH ? line : line.substring(0, MAX_REASON_LENGTH) + "…";
  }

  /** Ends the calls in progress as if they had timed out. */
  @Override
  public void close() {
    timer.close();
    resolver.close();
  }
}
