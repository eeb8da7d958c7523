// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import dev.perdure.policy.DurationText;
import dev.perdure.server.webhook.guard.AddressGuard;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import org.apache.hc.core5.http.HttpException;

/**
 * Makes calls over sockets that were opened to a vetted address, one connection for each call.
 *
 * <p>A connection is never used twice. One that is kept can die between two calls, and then nobody
 * knows whether the second was done; and kept ones must be shared out, which lets a slow peer hold
 * what a fast one needs. The price is a handshake for each call.
 */
public final class VettedSender implements HttpSender, AutoCloseable {

  private static final int LONGEST_REASON = 300;

  private final SenderOptions options;
  private final Lanes lanes;
  private final Lookups lookups;
  private final Dialer dialer;
  private final Deadlines deadlines = new Deadlines();

  private VettedSender(AddressGuard guard, NameLookup lookup, SenderOptions options) {
    this.options = options;
    this.lanes = new Lanes(options.concurrency(), options.perHost());
    this.lookups = new Lookups(lookup, options.monotonic());
    this.dialer = new Dialer(guard, lookups, options);
  }

  /** Opens a sender, which has threads until it is closed. */
  public static VettedSender create(AddressGuard guard, NameLookup lookup, SenderOptions options) {
    return new VettedSender(guard, lookup, options);
  }

  @Override
  public CallResult send(OutgoingCall call) {
    String host = call.url().authority();
    Duration since = options.monotonic().get();
    if (!lanes.enter(host, since)) {
      return new CallResult.NoRoom(lanes.turn(host, since));
    }
    try (Deadline deadline = deadlines.after(call.timeout())) {
      return exchange(call, deadline);
    } finally {
      lanes.leave(host, since, options.monotonic().get());
    }
  }

  private CallResult exchange(OutgoingCall call, Deadline deadline) {
    Socket socket;
    try {
      socket = dialer.dial(call.url(), deadline, call.timeout());
    } catch (RefusedException e) {
      return CallResult.Refusal.ofAddress(reason(e));
    } catch (NoRoomException e) {
      return new CallResult.NoRoom(e.turn());
    } catch (IOException e) {
      return timedOut(e, deadline)
          ? new CallResult.TimedOut(outOfTime(e, call, deadline))
          : new CallResult.Unsent(reason(e));
    }
    try {
      return new Conversation(socket, options.clock()).hold(call);
    } catch (IOException e) {
      return timedOut(e, deadline)
          ? new CallResult.TimedOut(outOfTime(e, call, deadline))
          : new CallResult.Unknown(reason(e));
    } catch (HttpException e) {
      // Its message would quote the peer, which may be anything but a web server.
      return new CallResult.Unknown("the answer is not HTTP/1.1, or beyond its limits");
    }
  }

  private static boolean timedOut(IOException e, Deadline deadline) {
    return deadline.passed() || e instanceof SocketTimeoutException;
  }

  private static String outOfTime(IOException e, OutgoingCall call, Deadline deadline) {
    return deadline.passed()
        ? "no whole answer within " + DurationText.format(call.timeout())
        : reason(e);
  }

  private static String reason(IOException e) {
    if (Thread.currentThread().isInterrupted()) {
      return "interrupted";
    }
    String text = Optional.ofNullable(e.getMessage()).orElse(e.getClass().getSimpleName());
    String line = text.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
    return line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON) + "…";
  }

  /** Ends what is under way, as if its time had run out. */
  @Override
  public void close() {
    deadlines.close();
    lookups.close();
  }
}
