// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks names up on threads of its own. The machine's look-up is native code that nothing can
 * interrupt, and it holds the thread that carries a virtual one: a few names whose servers do not
 * answer would otherwise stop every virtual thread of the process.
 */
final class Lookups implements AutoCloseable {

  private static final int SECONDS_IDLE = 10;

  private final NameLookup lookup;
  private final ThreadPoolExecutor threads;

  Lookups(NameLookup lookup, int most) {
    this.lookup = lookup;
    this.threads =
        new ThreadPoolExecutor(
            0,
            most,
            SECONDS_IDLE,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().daemon().name("webhook-lookup-", 0).factory());
  }

  List<InetAddress> addresses(String host, Duration patience) throws IOException {
    Future<List<InetAddress>> answer = ask(host);
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new SocketTimeoutException("the name " + host + " was not found in time");
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException e) {
      throw new IOException("the name " + host + " cannot be found", e.getCause());
    }
  }

  private Future<List<InetAddress>> ask(String host) throws IOException {
    try {
      return threads.submit(() -> lookup.addresses(host));
    } catch (RejectedExecutionException e) {
      throw new IOException("too many names are being looked up", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
