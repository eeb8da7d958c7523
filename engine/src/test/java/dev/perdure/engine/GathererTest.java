// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GathererTest {

  private final List<List<Integer>> writes = Collections.synchronizedList(new ArrayList<>());

  private Gatherer<Integer, Integer> doubling(Duration linger) {
    return new Gatherer<>("test", Workers.virtualThreads(), linger, this::doubled);
  }

  private List<Integer> doubled(List<Integer> items) {
    writes.add(items);
    if (items.contains(13)) {
      throw new StoreException("unlucky", null, StoreException.Sort.REFUSED);
    }
    if (items.contains(99)) {
      throw new StoreException("away", null, StoreException.Sort.UNAVAILABLE);
    }
    if (items.contains(-1)) {
      throw new IllegalStateException("a fault");
    }
    return items.stream().map(item -> item * 2).toList();
  }

  private static CompletableFuture<Integer> write(Gatherer<Integer, Integer> to, int item) {
    return CompletableFuture.supplyAsync(
        () -> to.write(item), work -> Thread.ofVirtual().start(work));
  }

  @Test
  void each_gets_its_own_answer_and_many_are_one_write() {
    Gatherer<Integer, Integer> gatherer = doubling(Duration.ofMillis(100));
    List<CompletableFuture<Integer>> all =
        IntStream.range(100, 600).mapToObj(i -> write(gatherer, i)).toList();

    for (int i = 0; i < all.size(); i++) {
      assertThat(all.get(i).orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo(2 * (100 + i));
    }
    assertThat(writes).hasSizeLessThan(50);
    assertThat(gatherer.write(7)).as("later too").isEqualTo(14);
  }

  @Test
  void one_that_is_refused_for_good_spoils_no_other() {
    Gatherer<Integer, Integer> gatherer = doubling(Duration.ofMillis(200));
    CompletableFuture<Integer> good = write(gatherer, 5);
    CompletableFuture<Integer> bad = write(gatherer, 13);

    assertThat(good.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo(10);
    assertThatThrownBy(bad::join).hasRootCauseMessage("unlucky");
  }

  @Test
  void when_the_store_is_away_all_are_told_and_nothing_is_tried_again() {
    Gatherer<Integer, Integer> gatherer = doubling(Duration.ZERO);
    assertThatThrownBy(() -> gatherer.write(99)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> gatherer.write(-1)).hasMessage("a fault");
    assertThat(writes).hasSize(2);
    assertThat(gatherer.write(4)).isEqualTo(8);
  }

  @Test
  void there_is_an_end_to_what_may_wait() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Gatherer<Integer, Integer> gatherer =
        new Gatherer<>(
            "test",
            Workers.virtualThreads(),
            Duration.ZERO,
            items -> {
              begun.countDown();
              awaited(go);
              return items;
            });
    CompletableFuture<Integer> first = write(gatherer, 1);
    begun.await();
    List<CompletableFuture<Integer>> all =
        IntStream.rangeClosed(0, Gatherer.MOST_WAITING).mapToObj(i -> write(gatherer, i)).toList();
    CompletableFuture.anyOf(all.toArray(CompletableFuture[]::new))
        .handle((answer, refused) -> refused)
        .thenAccept(refused -> assertThat(refused).hasCauseInstanceOf(StoreException.class))
        .orTimeout(20, TimeUnit.SECONDS)
        .join();
    go.countDown();
    assertThat(isAnswered(first)).isTrue();
    assertThat(all.stream().filter(GathererTest::isAnswered).count())
        .isEqualTo(Gatherer.MOST_WAITING);
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
