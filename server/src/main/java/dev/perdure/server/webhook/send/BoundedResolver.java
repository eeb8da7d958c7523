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
 * Looks names up on threads of its own. The machine's look-up is native code that nothing can
 * interrupt, and it holds the thread that carries a virtual one: a few names whose servers do not
 * answer would otherwise stop every virtual thread of the process.
 *
 * <p>A look-up that nobody waits for any more goes on, and holds its place until it ends. Who finds
 * no place has not failed, and is told when to come again: it is not the name he asks for that does
 * not answer.
 */
final class BoundedResolver implements AutoCloseable {

  /** How many names are looked up at once. */
  static final int MAX_CONCURRENT = 64;

  private final NameResolver resolver;
  private final Supplier<Duration> clock;
  private final Semaphore permits = new Semaphore(MAX_CONCURRENT, true);
  private final ConcurrencyLimit limit = new ConcurrencyLimit(MAX_CONCURRENT);
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().daemon().name("webhook-lookup-", 0).factory());

  /**
   * Looks names up.
   *
   * @param clock time that never goes back
   */
  BoundedResolver(NameResolver lookup, Supplier<Duration> clock) {
    this.resolver = lookup;
    this.clock = clock;
  }

  /**
   * The addresses of this name.
   *
   * @param patience how long the look-up may take, and half as long the wait for a place
   * @throws ThrottledException when no place came free in time
   */
  List<InetAddress> resolve(String host, Duration patience) throws IOException {
    try {
      if (!permits.tryAcquire(patience.toMillis() / 2, TimeUnit.MILLISECONDS)) {
        throw new ThrottledException(retryIn());
      }
      return submit(host).get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new SocketTimeoutException("the name " + host + " was not found in time");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException e) {
      throw new IOException("the name " + host + " cannot be found", e.getCause());
    }
  }

  private Duration retryIn() {
    synchronized (limit) {
      return limit.nextRetryIn(clock.get());
    }
  }

  /** Whoever asks has a place, which the look-up gives back when it ends. */
  private CompletableFuture<List<InetAddress>> submit(String host) {
    CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
    Duration since = acquire();
    try {
      threads.execute(() -> complete(host, answer, since));
    } catch (RejectedExecutionException closed) {
      release(since);
      answer.completeExceptionally(closed);
    } catch (RuntimeException | Error cannotStart) {
      release(since);
      throw cannotStart;
    }
    return answer;
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

  private void complete(String host, CompletableFuture<List<InetAddress>> answer, Duration since) {
    try {
      answer.complete(resolver.resolve(host));
    } catch (UnknownHostException | RuntimeException | Error e) {
      answer.completeExceptionally(e);
    } finally {
      release(since);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
