// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs tasks from submission to the callback that ends them. Two connections submit 100 tasks per
 * request, the server calls a callee in this process, and the callee settles each task immediately
 * through its handle, over keep-alive connections.
 */
final class CallbackPipeline implements AutoCloseable {

  private static final int SUBMITTERS = 2;
  private static final int TASKS_PER_REQUEST = 100;
  private static final int MAX_IN_FLIGHT = 2_000;
  private static final int CONNECTIONS = 32;
  private static final int TRIES = 50;
  private static final long TIMEOUT_MINUTES = 10;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final String HANDLE = "handle=";

  private final MeasuredServer server;
  private final StubCallee callee;
  private final BlockingQueue<KeepAliveConnection> connections =
      new ArrayBlockingQueue<>(CONNECTIONS);
  private final Semaphore inFlightPermits = new Semaphore(MAX_IN_FLIGHT);
  private final Semaphore ended = new Semaphore(0);

  CallbackPipeline(MeasuredServer server) throws IOException {
    this.server = server;
    this.callee = StubCallee.open(this::handleCall);
    for (int i = 0; i < CONNECTIONS; i++) {
      connections.add(KeepAliveConnection.open(server.port()));
    }
  }

  /** Runs this many tasks, a multiple of 200, and returns the seconds that it took. */
  double run(int tasks) throws IOException, InterruptedException {
    if (tasks % (TASKS_PER_REQUEST * SUBMITTERS) != 0) {
      throw new IllegalArgumentException(
          "The number of tasks must be a multiple of %d, not %d"
              .formatted(TASKS_PER_REQUEST * SUBMITTERS, tasks));
    }
    String task = "{\"kind\":\"called\",\"on_start\":" + callee.action("/start", "callback") + "}";
    String array = "[" + String.join(",", Collections.nCopies(TASKS_PER_REQUEST, task)) + "]";
    byte[] request = KeepAliveConnection.request(server.port(), "POST", "/task", array);
    long began = System.nanoTime();
    List<Callable<Void>> parts = new ArrayList<>();
    for (int i = 0; i < SUBMITTERS; i++) {
      parts.add(
          () -> {
            submit(request, tasks / TASKS_PER_REQUEST / SUBMITTERS);
            return null;
          });
    }
    LoadRun.runAll(parts);
    boolean allEnded = ended.tryAcquire(tasks, TIMEOUT_MINUTES, TimeUnit.MINUTES);
    callee.requireNoFailure();
    if (!allEnded) {
      throw new IllegalStateException(
          "%d of %d tasks ended".formatted(ended.availablePermits(), tasks));
    }
    return (System.nanoTime() - began) / 1e9;
  }

  private void submit(byte[] request, int times) throws IOException, InterruptedException {
    try (KeepAliveConnection connection = KeepAliveConnection.open(server.port())) {
      for (int i = 0; i < times; i++) {
        if (!inFlightPermits.tryAcquire(TASKS_PER_REQUEST, TIMEOUT_MINUTES, TimeUnit.MINUTES)) {
          throw new IllegalStateException("%d tasks in flight do not end".formatted(MAX_IN_FLIGHT));
        }
        int status = connection.send(request);
        if (status != 201) {
          throw new IllegalStateException(
              "POST /task returned %d: %s".formatted(status, connection.body()));
        }
      }
    }
  }

  /** Acts as the callee: responds, then settles the task immediately. */
  private void handleCall(String target, StubCallee.Reply reply)
      throws IOException, InterruptedException {
    reply.ok();
    String handle =
        URLDecoder.decode(
            target.substring(target.indexOf(HANDLE) + HANDLE.length()), StandardCharsets.UTF_8);
    URI url = URI.create(handle);
    byte[] request =
        KeepAliveConnection.request(
            server.port(),
            "PATCH",
            url.getRawPath() + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery()),
            "{\"status\":\"Success\"}");
    settle(request);
    inFlightPermits.release();
    ended.release();
  }

  private void settle(byte[] request) throws IOException, InterruptedException {
    KeepAliveConnection connection = connections.take();
    try {
      int status = connection.send(request);
      for (int i = 0; status == 503 && i < TRIES; i++) {
        LockSupport.parkNanos(PAUSE_NANOS);
        status = connection.send(request);
      }
      if (status != 200) {
        throw new IOException(
            "Settling a task returned %d: %s".formatted(status, connection.body()));
      }
    } finally {
      connections.add(connection);
    }
  }

  @Override
  public void close() throws IOException {
    callee.close();
    for (KeepAliveConnection connection : connections) {
      connection.close();
    }
  }
}
