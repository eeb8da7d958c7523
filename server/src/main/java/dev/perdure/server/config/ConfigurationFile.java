// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import dev.perdure.policy.FieldError;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads {@code perdure.yaml}, a flat list of names and values. */
public final class ConfigurationFile {

  /** The file that is read if it exists and no other file is given. */
  public static final Path DEFAULT_PATH = Path.of("perdure.yaml");

  private static final int MAX_LENGTH = 64 * 1024;

  private ConfigurationFile() {}

  /** Reads the settings in this file. */
  public static ConfigurationSource read(List<Setting<?>> settings, Path file) {
    return parse(settings, file.toString(), text(file));
  }

  private static String text(Path file) {
    try {
      if (Files.size(file) > MAX_LENGTH) {
        throw invalid(file.toString(), "is larger than the %d bytes allowed".formatted(MAX_LENGTH));
      }
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw invalid(file.toString(), "the file does not exist");
    } catch (CharacterCodingException e) {
      throw invalid(file.toString(), "is not UTF-8 text");
    } catch (IOException e) {
      throw invalid(file.toString(), "cannot be read: " + e);
    }
  }

  static ConfigurationSource parse(List<Setting<?>> settings, String file, String text) {
    Object yaml = loaded(file, text);
    if (yaml == null) {
      return ConfigurationSource.file(settings, file, Map.of());
    }
    if (!(yaml instanceof Map<?, ?> map)) {
      throw invalid(file, "must contain one name and value per line, such as 'port: 8085'");
    }
    List<FieldError> fieldErrors = new ArrayList<>();
    Map<String, String> values = new LinkedHashMap<>();
    map.forEach(
        (name, value) -> {
          String key = String.valueOf(name);
          if (value == null || value instanceof Map || value instanceof Iterable) {
            fieldErrors.add(
                new FieldError(
                    file + ": " + FieldError.sanitize(key),
                    "must be a single value: a text or a number"));
          } else {
            values.put(key, value.toString());
          }
        });
    ConfigurationSource configurationSource = ConfigurationSource.file(settings, file, values);
    fieldErrors.addAll(configurationSource.problems());
    return new ConfigurationSource(configurationSource.values(), fieldErrors);
  }

  private static @Nullable Object loaded(String file, String text) {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(file)
            .setAllowDuplicateKeys(false)
            .setCodePointLimit(MAX_LENGTH)
            .build();
    try {
      return new Load(settings).loadFromString(text);
    } catch (MarkedYamlEngineException e) {
      String line = e.getProblemMark().map(mark -> " in line " + (mark.getLine() + 1)).orElse("");
      throw invalid(
          file, "is not YAML" + line + ": " + Objects.toString(e.getProblem(), "unreadable"));
    } catch (YamlEngineException e) {
      throw invalid(file, "is not YAML: " + FieldError.sanitize(String.valueOf(e.getMessage())));
    }
  }

  private static InvalidConfigurationException invalid(String file, String message) {
    return new InvalidConfigurationException(List.of(new FieldError(file, message)));
  }
}
