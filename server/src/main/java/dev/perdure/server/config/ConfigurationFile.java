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
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Reads {@code perdure.yaml}, a list of names and values. Only a few values are nested. */
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
          try {
            values.put(key, isObject(settings, key) ? json(value) : single(value));
          } catch (IllegalArgumentException e) {
            fieldErrors.add(
                new FieldError(
                    file + ": " + FieldError.sanitize(key), String.valueOf(e.getMessage())));
          }
        });
    ConfigurationSource configurationSource = ConfigurationSource.file(settings, file, values);
    fieldErrors.addAll(configurationSource.problems());
    return new ConfigurationSource(configurationSource.values(), fieldErrors);
  }

  private static boolean isObject(List<Setting<?>> settings, String name) {
    return settings.stream().anyMatch(setting -> setting.name().equals(name) && setting.isObject());
  }

  private static String single(@Nullable Object value) {
    if (value == null || value instanceof Map || value instanceof Iterable) {
      throw new IllegalArgumentException("must be a single value: a text or a number");
    }
    return value.toString();
  }

  /** The value as JSON; a text is JSON already. */
  private static String json(@Nullable Object value) {
    try {
      return value instanceof String text ? text : JsonMapper.shared().writeValueAsString(value);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("cannot be read as JSON: its values refer to itself", e);
    }
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
