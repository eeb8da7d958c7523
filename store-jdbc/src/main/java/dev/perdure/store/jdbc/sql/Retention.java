// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

/** Deletes what goes, and when nothing does, looks for what may. */
public interface Retention {

  /** So many looks find nothing at most; then the next purge goes on. */
  int MAX_EMPTY_ROUNDS = 100;

  /** Deletes tasks of this shard whose batches go; tells how many. */
  int delete(int shard);

  /** Looks at the batches of this shard that may be old enough; tells at how many. */
  int markExpired(int shard);

  /** Does it once in each shard, until something was deleted; tells how many tasks. */
  default int run(int shards) {
    int deleted = 0;
    for (int shard = 0; shard < shards && deleted == 0; shard++) {
      deleted = delete(shard);
      for (int looks = 0;
          deleted == 0 && looks < MAX_EMPTY_ROUNDS && markExpired(shard) > 0;
          looks++) {
        deleted = delete(shard);
      }
    }
    return deleted;
  }
}
