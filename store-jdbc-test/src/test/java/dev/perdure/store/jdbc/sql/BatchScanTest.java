// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.BatchReader;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class BatchScanTest {

  private final BatchScan scan = new BatchScan(1);

  private static BatchScan.Entry batch(int id, long size) {
    return new BatchScan.Entry(new UUID(0, id), Instant.EPOCH, size);
  }

  @Test
  void a_batch_that_exceeds_the_limit_is_left_to_the_next_page() {
    BatchScan.Entry large = batch(2, 20L * BatchReader.MAX_LOOK);

    assertThat(scan.last(List.of(batch(3, 3), large, batch(1, 1)))).isEqualTo(new UUID(0, 3));
    assertThat(scan.stopped()).isTrue();
    assertThat(new BatchScan(1).last(List.of(large, batch(1, 1)))).isEqualTo(large.id());
  }

  @Test
  void batches_within_the_limit_are_all_looked_at() {
    assertThat(scan.last(List.of(batch(2, 3), batch(1, 3)))).isEqualTo(BatchScan.END);
    assertThat(scan.stopped()).isFalse();
  }
}
