// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.ConfigurationSource;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import dev.perdure.server.notify.ChannelSettings;
import dev.perdure.server.trace.TraceSettings;
import dev.perdure.server.webhook.WebhookSettings;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Every setting of the server, in the order in which they are shown. */
public final class ServerSettings {

  public static final List<Setting<?>> ALL =
      Stream.of(Settings.ALL, WebhookSettings.ALL, ChannelSettings.ALL, TraceSettings.ALL)
          .<Setting<?>>flatMap(List::stream)
          .toList();

  private ServerSettings() {}

  /**
   * A configuration with these values and the defaults, ignoring the file and the environment.
   *
   * @throws dev.perdure.server.config.InvalidConfigurationException with all invalid values
   */
  public static Configuration configuration(Map<Setting<?>, String> values) {
    return Configuration.of(ALL, List.of(ConfigurationSource.flags(values)));
  }
}
