// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.ConfigurationFile;
import dev.perdure.server.config.InvalidConfigurationException;
import dev.perdure.server.config.Layer;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
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

/** A flag for every setting, and {@code --config} for the file. */
final class SettingOptions {

  private final Map<Setting<?>, String> given = new LinkedHashMap<>();
  private @Nullable String file;

  /** The command with these options added to its own. */
  CommandLine on(Object command) {
    CommandLine line = new CommandLine(command);
    CommandSpec spec = line.getCommandSpec();
    spec.addOption(
        OptionSpec.builder("--config")
            .paramLabel("FILE")
            .type(String.class)
            .setter(remembering(text -> file = text))
            .description("The file of settings; perdure.yaml when it is there.")
            .build());
    Settings.ALL.forEach(setting -> spec.addOption(option(setting)));
    return line;
  }

  private OptionSpec option(Setting<?> setting) {
    String plain = setting.description().replace("`", "").replace("%", "%%");
    OptionSpec.Builder option =
        OptionSpec.builder(setting.flag())
            .paramLabel("VALUE")
            .type(String.class)
            .setter(remembering(text -> remember(setting, text)))
            .description(
                setting.otherwise().isEmpty()
                    ? plain
                    : "%s (%s)".formatted(plain, setting.otherwise()));
    return setting.isSwitch()
        ? option.arity("0..1").fallbackValue("true").build()
        : option.arity("1").build();
  }

  /** Takes a text as if its flag had been given; null takes it away. */
  void remember(Setting<?> setting, @Nullable String text) {
    if (text == null) {
      given.remove(setting);
    } else {
      given.put(setting, text);
    }
  }

  /** What receives the text of an option, or null when it was not given. */
  private interface Receiver {
    void accept(@Nullable String text);
  }

  private static ISetter remembering(Receiver receiver) {
    return new ISetter() {
      @Override
      @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
      public <T> T set(T value) {
        receiver.accept((String) value);
        return value;
      }
    };
  }

  /** File, environment, flags: later wins. Throws with everything that is wrong. */
  Configuration configuration(Shell shell) {
    List<Layer> layers = new ArrayList<>();
    try {
      file().map(ConfigurationFile::read).ifPresent(layers::add);
    } catch (InvalidConfigurationException e) {
      layers.add(new Layer(Map.of(), e.problems()));
    }
    layers.add(Layer.environment(shell.environment()));
    layers.add(Layer.flags(given));
    return Configuration.of(layers);
  }

  private Optional<Path> file() {
    if (file == null) {
      return Optional.of(ConfigurationFile.USUAL).filter(Files::exists);
    }
    try {
      return Optional.of(Path.of(file));
    } catch (InvalidPathException e) {
      throw new WrongUseException("--config", "cannot be a file: " + e.getReason());
    }
  }
}
