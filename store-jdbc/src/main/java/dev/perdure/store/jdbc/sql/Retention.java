// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

/**
 * Deletes expired batches in small steps. Each run deletes batches that are already marked; if
 * there are none, it marks some first.
 */
public interface Retention {

  /**
   * Maximum number of rounds per run in which batches are checked but nothing is deleted. The next
   * run continues.
   */
  int MAX_EMPTY_ROUNDS = 100;

  /** Deletes tasks of marked batches in this shard and returns the number of deleted tasks. */
  int delete(int shard);

  /**
   * Checks batches of this shard that may have expired and returns the number of batches checked.
   */
  int markExpired(int shard);

  /**
   * Goes through the shards until something is deleted, and returns the number of deleted tasks.
   */
  default int run(int shards) {
    int deleted = 0;
    for (int shard = 0; shard < shards && deleted == 0; shard++) {
      deleted = delete(shard);
      for (int rounds = 0;
          deleted == 0 && rounds < MAX_EMPTY_ROUNDS && markExpired(shard) > 0;
          rounds++) {
        deleted = delete(shard);
      }
    }
    return deleted;
  }
}
