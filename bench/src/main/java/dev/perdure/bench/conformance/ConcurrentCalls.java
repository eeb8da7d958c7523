// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs the same call many times concurrently. */
final class ConcurrentCalls {
  private ConcurrentCalls() {}

  static <T> List<T> run(int times, Callable<T> call) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> started = new ArrayList<>();
      for (int i = 0; i < times; i++) {
        started.add(threads.submit(call));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : started) {
        results.add(future.get());
      }
      return results;
    }
  }
}
