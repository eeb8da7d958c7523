// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.access;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes know together about the use of each notification channel: a short text for each
 * channel that only the server reads. Safe to use from many threads and processes.
 */
public interface ChannelStore {

  /**
   * The use of a channel.
   *
   * @param version grows with each write; 0 when nothing is stored
   * @param usage null when nothing is stored
   * @param now the database's clock
   */
  record ChannelUsage(long version, @Nullable String usage, Instant now) {}

  ChannelUsage find(String channel);

  /**
   * Replaces the use of a channel.
   *
   * @param version the version that was read
   * @return false when another process has written since, and nothing was changed
   */
  boolean write(String channel, long version, String usage);
}
