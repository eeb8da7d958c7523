// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WriteBatcherTest {

  private final List<List<Integer>> writes = Collections.synchronizedList(new ArrayList<>());

  private WriteBatcher<Integer, Integer> doublingBatcher(Duration linger) {
    return new WriteBatcher<>("test", EngineExecutor.virtualThreads(), linger, this::doubleAll);
  }

  private List<Integer> doubleAll(List<Integer> items) {
    writes.add(items);
    if (items.contains(13)) {
      throw new StoreException("refused", null, StoreException.ErrorKind.REFUSED);
    }
    if (items.contains(99)) {
      throw new StoreException("unavailable", null, StoreException.ErrorKind.UNAVAILABLE);
    }
    if (items.contains(-1)) {
      throw new IllegalStateException("bug");
    }
    return items.stream().map(item -> item * 2).toList();
  }

  private static CompletableFuture<Integer> write(
      WriteBatcher<Integer, Integer> batcher, int item) {
    return CompletableFuture.supplyAsync(
        () -> batcher.write(item), work -> Thread.ofVirtual().start(work));
  }

  @Test
  void concurrent_callers_share_writes_and_each_gets_its_own_result() {
    WriteBatcher<Integer, Integer> writeBatcher = doublingBatcher(Duration.ofMillis(100));
    List<CompletableFuture<Integer>> all =
        IntStream.range(100, 600).mapToObj(i -> write(writeBatcher, i)).toList();

    for (int i = 0; i < all.size(); i++) {
      assertThat(all.get(i).orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo(2 * (100 + i));
    }
    assertThat(writes).hasSizeLessThan(50);
    assertThat(writeBatcher.write(7)).as("a later write").isEqualTo(14);
  }

  @Test
  void a_refused_item_does_not_fail_the_other_items_of_its_batch() {
    WriteBatcher<Integer, Integer> writeBatcher = doublingBatcher(Duration.ofMillis(200));
    CompletableFuture<Integer> good = write(writeBatcher, 5);
    CompletableFuture<Integer> bad = write(writeBatcher, 13);

    assertThat(good.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo(10);
    assertThatThrownBy(bad::join).hasRootCauseMessage("refused");
  }

  @Test
  void an_unavailable_store_or_a_bug_fails_the_write_without_a_retry() {
    WriteBatcher<Integer, Integer> writeBatcher = doublingBatcher(Duration.ZERO);
    assertThatThrownBy(() -> writeBatcher.write(99)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> writeBatcher.write(-1)).hasMessage("bug");
    assertThat(writes).hasSize(2);
    assertThat(writeBatcher.write(4)).isEqualTo(8);
  }

  @Test
  void a_write_beyond_the_limit_of_pending_writes_is_refused() throws InterruptedException {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    WriteBatcher<Integer, Integer> writeBatcher =
        new WriteBatcher<>(
            "test",
            EngineExecutor.virtualThreads(),
            Duration.ZERO,
            items -> {
              started.countDown();
              await(release);
              return items;
            });
    CompletableFuture<Integer> first = write(writeBatcher, 1);
    started.await();
    List<CompletableFuture<Integer>> all =
        IntStream.rangeClosed(0, WriteBatcher.MAX_PENDING)
            .mapToObj(i -> write(writeBatcher, i))
            .toList();
    CompletableFuture.anyOf(all.toArray(CompletableFuture[]::new))
        .handle((answer, refused) -> refused)
        .thenAccept(refused -> assertThat(refused).hasCauseInstanceOf(StoreException.class))
        .orTimeout(20, TimeUnit.SECONDS)
        .join();
    release.countDown();
    assertThat(hasSucceeded(first)).isTrue();
    assertThat(all.stream().filter(WriteBatcherTest::hasSucceeded).count())
        .isEqualTo(WriteBatcher.MAX_PENDING);
  }

  private static boolean hasSucceeded(CompletableFuture<Integer> write) {
    return write
        .orTimeout(20, TimeUnit.SECONDS)
        .handle((answer, refused) -> refused == null)
        .join();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
