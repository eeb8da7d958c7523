// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.UUID;

/** The shard of a task or batch, which its id carries in its last twelve bits. */
public final class Shards {

  /** Maximum number of shards of a store. */
  public static final int MAX_SHARDS = 4096;

  private Shards() {}

  public static int of(UUID id) {
    return (int) (id.getLeastSignificantBits() & (MAX_SHARDS - 1));
  }
}
