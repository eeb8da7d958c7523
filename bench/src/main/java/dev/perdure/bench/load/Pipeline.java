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
 * Tasks from submit to their end by a callback: two connections submit them a hundred at a time,
 * the server calls a callee in this process, and the callee settles each at once through its
 * handle, over connections that are kept.
 */
final class Pipeline implements AutoCloseable {

  private static final int SUBMITTERS = 2;
  private static final int ARRAY = 100;
  private static final int OPEN = 2_000;
  private static final int LINES = 32;
  private static final int TRIES = 50;
  private static final long MINUTES = 10;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final String HANDLE = "handle=";

  private final LoadedServer server;
  private final Callee callee;
  private final BlockingQueue<Line> lines = new ArrayBlockingQueue<>(LINES);
  private final Semaphore room = new Semaphore(OPEN);
  private final Semaphore ended = new Semaphore(0);

  Pipeline(LoadedServer server) throws IOException {
    this.server = server;
    this.callee = Callee.open(this::take);
    for (int i = 0; i < LINES; i++) {
      lines.add(Line.to(server.port()));
    }
  }

  /** Lets so many tasks, in hundreds, go from submit to end. Returns the seconds it took. */
  double run(int tasks) throws IOException, InterruptedException {
    if (tasks % (ARRAY * SUBMITTERS) != 0) {
      throw new IllegalArgumentException(
          "tasks are submitted in %ds, not %d".formatted(ARRAY * SUBMITTERS, tasks));
    }
    String task = "{\"kind\":\"called\",\"on_start\":" + callee.action("/start", "callback") + "}";
    String array = "[" + String.join(",", Collections.nCopies(ARRAY, task)) + "]";
    byte[] request = Line.request(server.port(), "POST", "/task", array);
    long began = System.nanoTime();
    List<Callable<Void>> parts = new ArrayList<>();
    for (int i = 0; i < SUBMITTERS; i++) {
      parts.add(
          () -> {
            submit(request, tasks / ARRAY / SUBMITTERS);
            return null;
          });
    }
    Drive.all(parts);
    boolean all = ended.tryAcquire(tasks, MINUTES, TimeUnit.MINUTES);
    callee.requireWell();
    if (!all) {
      throw new IllegalStateException(
          "%d of %d tasks ended".formatted(ended.availablePermits(), tasks));
    }
    return (System.nanoTime() - began) / 1e9;
  }

  private void submit(byte[] request, int times) throws IOException, InterruptedException {
    try (Line line = Line.to(server.port())) {
      for (int i = 0; i < times; i++) {
        if (!room.tryAcquire(ARRAY, MINUTES, TimeUnit.MINUTES)) {
          throw new IllegalStateException("%d tasks do not end".formatted(OPEN));
        }
        int status = line.ask(request);
        if (status != 201) {
          throw new IllegalStateException(status + ": " + line.body());
        }
      }
    }
  }

  /** The callee's part: it answers, and settles the task at once. */
  private void take(String target, Callee.Reply reply) throws IOException, InterruptedException {
    reply.ok();
    String handle =
        URLDecoder.decode(
            target.substring(target.indexOf(HANDLE) + HANDLE.length()), StandardCharsets.UTF_8);
    URI url = URI.create(handle);
    byte[] request =
        Line.request(
            server.port(),
            "PATCH",
            url.getRawPath() + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery()),
            "{\"status\":\"Success\"}");
    settle(request);
    room.release();
    ended.release();
  }

  private void settle(byte[] request) throws IOException, InterruptedException {
    Line line = lines.take();
    try {
      int status = line.ask(request);
      for (int i = 0; status == 503 && i < TRIES; i++) {
        LockSupport.parkNanos(PAUSE_NANOS);
        status = line.ask(request);
      }
      if (status != 200) {
        throw new IOException("a settlement was answered %d: %s".formatted(status, line.body()));
      }
    } finally {
      lines.add(line);
    }
  }

  @Override
  public void close() throws IOException {
    callee.close();
    for (Line line : lines) {
      line.close();
    }
  }
}
