// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.send;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Looks up names on platform threads of its own. The system's look-up is native code that cannot be
 * interrupted and pins the carrier of a virtual thread: a few names whose DNS servers do not
 * respond would block every virtual thread of the process.
 *
 * <p>An abandoned look-up keeps its slot until it ends. A caller that finds no slot has not failed:
 * other names are slow, not its own, so it gets a time to try again.
 */
final class BoundedResolver implements AutoCloseable {

  /** Concurrent look-ups, at most. */
  static final int MAX_CONCURRENT = 64;

  private final NameResolver resolver;
  private final Supplier<Duration> clock;
  private final Semaphore permits = new Semaphore(MAX_CONCURRENT, true);
  private final ConcurrencyLimit limit = new ConcurrencyLimit(MAX_CONCURRENT);
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().daemon().name("webhook-lookup-", 0).factory());

  /**
   * @param clock elapsed time, which never goes back
   */
  BoundedResolver(NameResolver resolver, Supplier<Duration> clock) {
    this.resolver = resolver;
    this.clock = clock;
  }

  /**
   * The addresses of this name.
   *
   * @param timeout limits the look-up; half of it limits the wait for a slot
   * @throws ThrottledException when no slot became free in time
   */
  List<InetAddress> resolve(String host, Duration timeout) throws IOException {
    try {
      if (!permits.tryAcquire(timeout.toMillis() / 2, TimeUnit.MILLISECONDS)) {
        throw new ThrottledException(retryIn());
      }
      return submit(host).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new SocketTimeoutException("the look-up of " + host + " took too long");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException e) {
      throw new IOException("the host " + host + " cannot be resolved", e.getCause());
    }
  }

  private Duration retryIn() {
    synchronized (limit) {
      return limit.nextRetryIn(clock.get());
    }
  }

  /** Starts a look-up with the permit of the caller; the look-up releases it when it ends. */
  private CompletableFuture<List<InetAddress>> submit(String host) {
    CompletableFuture<List<InetAddress>> addresses = new CompletableFuture<>();
    Duration since = acquire();
    try {
      threads.execute(() -> complete(host, addresses, since));
    } catch (RejectedExecutionException closed) {
      release(since);
      addresses.completeExceptionally(closed);
    } catch (RuntimeException | Error cannotStart) {
      release(since);
      throw cannotStart;
    }
    return addresses;
  }

  private Duration acquire() {
    Duration now = clock.get();
    synchronized (limit) {
      limit.acquire(now);
    }
    return now;
  }

  private void release(Duration since) {
    synchronized (limit) {
      limit.release(since, clock.get());
    }
    permits.release();
  }

  private void complete(
      String host, CompletableFuture<List<InetAddress>> addresses, Duration since) {
    try {
      addresses.complete(resolver.resolve(host));
    } catch (UnknownHostException | RuntimeException | Error e) {
      addresses.completeExceptionally(e);
    } finally {
      release(since);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
