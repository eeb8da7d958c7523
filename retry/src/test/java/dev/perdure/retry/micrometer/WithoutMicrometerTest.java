// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.Retry;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests that only users of the metrics need Micrometer. */
class WithoutMicrometerTest {

  /** Runs on a class path without Micrometer. */
  public static final class Program implements Callable<String> {
    @Override
    public String call() throws Exception {
      AtomicInteger attempts = new AtomicInteger();
      return Retry.of(RetryPolicy.immediate().build())
          .call(
              () -> {
                if (attempts.incrementAndGet() < 3) {
                  throw new IOException("no");
                }
                return "attempt " + attempts;
              });
    }
  }

  private static URL home(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  @Test
  void retries_work_without_micrometer() throws Exception {
    URL[] classPath = {home(Retry.class), home(RetryPolicy.class), home(Program.class)};
    try (URLClassLoader loader =
        new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
      assertThatExceptionOfType(ClassNotFoundException.class)
          .isThrownBy(() -> loader.loadClass("io.micrometer.core.instrument.MeterRegistry"));
      Class<?> program = loader.loadClass(Program.class.getName());
      assertThat(program.getClassLoader()).isSameAs(loader);
      Callable<?> callable = (Callable<?>) program.getDeclaredConstructor().newInstance();
      assertThat(callable.call()).isEqualTo("attempt 3");
    }
  }
}
