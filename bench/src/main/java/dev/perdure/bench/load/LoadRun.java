// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * The result of sending requests for some time, one at a time per connection.
 *
 * @param latencies latencies of all requests
 * @param seconds time from the first request to the last response
 */
record LoadRun(Latencies latencies, double seconds) {

  private static final double NANOS = 1e9;

  double rate() {
    return latencies.count() / seconds;
  }

  /** Sends as fast as possible: each connection sends its next request after a response. */
  static LoadRun closedLoop(int port, int connections, Duration time, RequestSource requests)
      throws IOException, InterruptedException {
    return runThreads(
        connections,
        (recorder, end) -> {
          try (KeepAliveConnection connection = KeepAliveConnection.open(port)) {
            do {
              byte[] request = requests.next().get();
              long before = System.nanoTime();
              int status = connection.send(request);
              recorder.add(System.nanoTime() - before);
              requests.requireStatus(status, connection);
            } while (System.nanoTime() < end);
          }
        },
        time);
  }

  /**
   * Sends requests at a constant rate on one connection. Latency counts from when a request was
   * due, not from when it was sent. Otherwise a slow response would hide the delay of the requests
   * behind it (coordinated omission).
   */
  static LoadRun constantRate(int port, int perSecond, Duration time, RequestSource requests)
      throws IOException, InterruptedException {
    long step = (long) (NANOS / perSecond);
    return runThreads(
        1,
        (recorder, end) -> {
          try (KeepAliveConnection connection = KeepAliveConnection.open(port)) {
            long due = System.nanoTime();
            do {
              waitUntil(due);
              int status = connection.send(requests.next().get());
              recorder.add(System.nanoTime() - due);
              requests.requireStatus(status, connection);
              due += step;
            } while (due < end);
          }
        },
        time);
  }

  private static void waitUntil(long due) {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** What one thread does until the end, a value of {@link System#nanoTime}. */
  @FunctionalInterface
  interface ThreadBody {
    void run(Latencies.Recorder recorder, long end) throws Exception;
  }

  /** Runs the same body on several threads. */
  static LoadRun runThreads(int threads, ThreadBody body, Duration time)
      throws IOException, InterruptedException {
    List<Latencies.Recorder> recorders = new ArrayList<>();
    List<Callable<Void>> parts = new ArrayList<>();
    long began = System.nanoTime();
    for (int i = 0; i < threads; i++) {
      Latencies.Recorder recorder = new Latencies.Recorder();
      recorders.add(recorder);
      parts.add(
          () -> {
            body.run(recorder, began + time.toNanos());
            return null;
          });
    }
    runAll(parts);
    return new LoadRun(Latencies.of(recorders), (System.nanoTime() - began) / NANOS);
  }

  /** Runs all parts concurrently. Fails if one of them fails. */
  static <T> List<T> runAll(List<Callable<T>> parts) throws IOException, InterruptedException {
    List<T> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(parts.size())) {
      for (Future<T> done : threads.invokeAll(parts)) {
        results.add(done.get());
      }
    } catch (ExecutionException e) {
      throw new IOException("The load run failed: " + e.getCause(), e.getCause());
    }
    return results;
  }
}
