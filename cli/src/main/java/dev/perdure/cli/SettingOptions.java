// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.server.ServerSettings;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.ConfigurationFile;
import dev.perdure.server.config.ConfigurationSource;
import dev.perdure.server.config.InvalidConfigurationException;
import dev.perdure.server.config.Setting;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/** Adds a flag for every setting, and {@code --config} for the file. */
final class SettingOptions {

  private final Map<Setting<?>, String> values = new LinkedHashMap<>();
  private @Nullable String file;

  /** A command line with these options added to the command's own. */
  CommandLine addTo(Object command) {
    CommandLine line = new CommandLine(command);
    CommandSpec spec = line.getCommandSpec();
    spec.addOption(
        OptionSpec.builder("--config")
            .paramLabel("FILE")
            .type(String.class)
            .setter(setter(text -> file = text))
            .description("The configuration file; perdure.yaml if it exists.")
            .build());
    ServerSettings.ALL.forEach(setting -> spec.addOption(option(setting)));
    return line;
  }

  private OptionSpec option(Setting<?> setting) {
    String plain = setting.description().replace("`", "").replace("%", "%%");
    OptionSpec.Builder option =
        OptionSpec.builder(setting.flag())
            .paramLabel("VALUE")
            .type(String.class)
            .setter(setter(text -> assign(setting, text)))
            .description(
                setting.defaultText().isEmpty()
                    ? plain
                    : "%s (%s)".formatted(plain, setting.defaultText()));
    return setting.isSwitch()
        ? option.arity("0..1").fallbackValue("true").build()
        : option.arity("1").build();
  }

  /** Sets a value as its flag would; null removes it. */
  void assign(Setting<?> setting, @Nullable String text) {
    if (text == null) {
      values.remove(setting);
    } else {
      values.put(setting, text);
    }
  }

  /** Receives the text of an option, or null when the option is absent. */
  private interface Receiver {
    void accept(@Nullable String text);
  }

  private static ISetter setter(Receiver receiver) {
    return new ISetter() {
      @Override
      @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
      public <T> T set(T value) {
        receiver.accept((String) value);
        return value;
      }
    };
  }

  /** File, environment and flags, where the later wins; throws an exception with all errors. */
  Configuration configuration(CliContext context) {
    List<ConfigurationSource> sources = new ArrayList<>();
    try {
      file().map(path -> ConfigurationFile.read(ServerSettings.ALL, path)).ifPresent(sources::add);
    } catch (InvalidConfigurationException e) {
      sources.add(new ConfigurationSource(Map.of(), e.problems()));
    }
    sources.add(ConfigurationSource.environment(ServerSettings.ALL, context.environment()));
    sources.add(ConfigurationSource.flags(values));
    return Configuration.of(ServerSettings.ALL, sources, context.environment());
  }

  private Optional<Path> file() {
    if (file == null) {
      return Optional.of(ConfigurationFile.DEFAULT_PATH).filter(Files::exists);
    }
    try {
      return Optional.of(Path.of(file));
    } catch (InvalidPathException e) {
      throw new UsageException("--config", "is not a valid file name: " + e.getReason());
    }
  }
}
