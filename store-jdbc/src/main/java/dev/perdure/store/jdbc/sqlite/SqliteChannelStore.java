// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.access.ChannelStore;
import java.time.Instant;

/** The use of channels in {@code perdure_channel}. */
record SqliteChannelStore(SqliteStore store) implements ChannelStore {

  @Override
  public ChannelUsage find(String channel) {
    return store.read(
        (session, now) -> {
          Instant instant = Instant.ofEpochMilli(now);
          return session
              .statement("channel.find")
              .text("name", channel)
              .one(row -> new ChannelUsage(row.getLong("version"), row.getString("usage"), instant))
              .orElseGet(() -> new ChannelUsage(0, null, instant));
        });
  }

  @Override
  public boolean write(String channel, long version, String usage) {
    return store.write(
        (session, now) ->
            session
                    .statement("channel.write")
                    .number("now", now)
                    .text("name", channel)
                    .number("version", version)
                    .text("usage", usage)
                    .update()
                == 1);
  }
}
