// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import dev.perdure.server.config.Setting;
import java.util.List;

/** The setting of notifications. */
public final class ChannelSettings {

  public static final Setting<Channels> CHANNELS =
      Setting.withVariables(
              "channels",
              Setting.EMPTY_OBJECT,
              ChannelsParser::parse,
              "Channels for notifications, by name, each with a `type`: `telegram` with `chat` and"
                  + " `token`, `slack` with `url`, or `webhook` with `url` and optionally `secret`."
                  + " JSON, or nested values in the file. `${NAME}` in a value is replaced by the"
                  + " environment variable. Set them to the same on all nodes.")
          .redactedBy(ChannelsParser::redacted);

  /** All settings of this class. */
  public static final List<Setting<?>> ALL = List.of(CHANNELS);

  private ChannelSettings() {}
}
