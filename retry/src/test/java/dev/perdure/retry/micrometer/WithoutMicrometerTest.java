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

/** Only those who use the metrics need Micrometer. */
class WithoutMicrometerTest {

  /** What is run where there is no Micrometer. */
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
  void retries_work_where_there_is_no_micrometer() throws Exception {
    URL[] classPath = {home(Retry.class), home(RetryPolicy.class), home(Program.class)};
    try (URLClassLoader bare =
        new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
      assertThatExceptionOfType(ClassNotFoundException.class)
          .isThrownBy(() -> bare.loadClass("io.micrometer.core.instrument.MeterRegistry"));
      Class<?> program = bare.loadClass(Program.class.getName());
      assertThat(program.getClassLoader()).isSameAs(bare);
      Callable<?> callable = (Callable<?>) program.getDeclaredConstructor().newInstance();
      assertThat(callable.call()).isEqualTo("attempt 3");
    }
  }
}
