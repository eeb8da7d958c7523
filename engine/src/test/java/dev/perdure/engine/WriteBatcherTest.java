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

  private WriteBatcher<Integer, Integer> doubling(Duration linger) {
    return new WriteBatcher<>("test", EngineExecutor.virtualThreads(), linger, this::doubled);
  }

  private List<Integer> doubled(List<Integer> items) {
    writes.add(items);
    if (items.contains(13)) {
      throw new StoreException("unlucky", null, StoreException.ErrorKind.REFUSED);
    }
    if (items.contains(99)) {
      throw new StoreException("away", null, StoreException.ErrorKind.UNAVAILABLE);
    }
    if (items.contains(-1)) {
      throw new IllegalStateException("a fault");
    }
    return items.stream().map(item -> item * 2).toList();
  }

  private static CompletableFuture<Integer> write(WriteBatcher<Integer, Integer> to, int item) {
    return CompletableFuture.supplyAsync(
        () -> to.write(item), work -> Thread.ofVirtual().start(work));
  }

  @Test
  void each_gets_its_own_answer_and_many_are_one_write() {
    WriteBatcher<Integer, Integer> writeBatcher = doubling(Duration.ofMillis(100));
    List<CompletableFuture<Integer>> all =
        IntStream.range(100, 600).mapToObj(i -> write(writeBatcher, i)).toList();

    for (int i = 0; i < all.size(); i++) {
      assertThat(all.get(i).orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo(2 * (100 + i));
    }
    assertThat(writes).hasSizeLessThan(50);
    assertThat(writeBatcher.write(7)).as("later too").isEqualTo(14);
  }

  @Test
  void one_that_is_refused_for_good_spoils_no_other() {
    WriteBatcher<Integer, Integer> writeBatcher = doubling(Duration.ofMillis(200));
    CompletableFuture<Integer> good = write(writeBatcher, 5);
    CompletableFuture<Integer> bad = write(writeBatcher, 13);

    assertThat(good.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo(10);
    assertThatThrownBy(bad::join).hasRootCauseMessage("unlucky");
  }

  @Test
  void when_the_store_is_away_all_are_told_and_nothing_is_tried_again() {
    WriteBatcher<Integer, Integer> writeBatcher = doubling(Duration.ZERO);
    assertThatThrownBy(() -> writeBatcher.write(99)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> writeBatcher.write(-1)).hasMessage("a fault");
    assertThat(writes).hasSize(2);
    assertThat(writeBatcher.write(4)).isEqualTo(8);
  }

  @Test
  void there_is_an_end_to_what_may_wait() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    WriteBatcher<Integer, Integer> writeBatcher =
        new WriteBatcher<>(
            "test",
            EngineExecutor.virtualThreads(),
            Duration.ZERO,
            items -> {
              begun.countDown();
              awaited(go);
              return items;
            });
    CompletableFuture<Integer> first = write(writeBatcher, 1);
    begun.await();
    List<CompletableFuture<Integer>> all =
        IntStream.rangeClosed(0, WriteBatcher.MAX_PENDING)
            .mapToObj(i -> write(writeBatcher, i))
            .toList();
    CompletableFuture.anyOf(all.toArray(CompletableFuture[]::new))
        .handle((answer, refused) -> refused)
        .thenAccept(refused -> assertThat(refused).hasCauseInstanceOf(StoreException.class))
        .orTimeout(20, TimeUnit.SECONDS)
        .join();
    go.countDown();
    assertThat(isAnswered(first)).isTrue();
    assertThat(all.stream().filter(WriteBatcherTest::isAnswered).count())
        .isEqualTo(WriteBatcher.MAX_PENDING);
  }

  private static boolean isAnswered(CompletableFuture<Integer> one) {
    return one.orTimeout(20, TimeUnit.SECONDS).handle((answer, refused) -> refused == null).join();
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
