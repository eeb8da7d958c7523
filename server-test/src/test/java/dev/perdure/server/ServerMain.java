// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.LogFormat;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import dev.perdure.server.log.Logging;
import java.util.LinkedHashMap;
import java.util.Map;

/** Runs a server until the process is killed; flags as {@code --name=value}. */
final class ServerMain {

  private ServerMain() {}

  public static void main(String[] flags) {
    Map<Setting<?>, String> values = new LinkedHashMap<>();
    for (String flag : flags) {
      int equals = flag.indexOf('=');
      values.put(setting(flag.substring(0, equals)), flag.substring(equals + 1));
    }
    Configuration configuration = ServerSettings.configuration(values);
    Logging.configure(LogFormat.TEXT, configuration.get(Settings.LOG_LEVEL));
    Server server = Server.start(configuration, "test");
    Runtime.getRuntime().addShutdownHook(new Thread(server::close, "stop"));
    System.out.println("{\"url\":\"" + server.url() + "\"}");
  }

  private static Setting<?> setting(String flag) {
    return ServerSettings.ALL.stream()
        .filter(setting -> setting.flag().equals(flag))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown flag " + flag));
  }
}
