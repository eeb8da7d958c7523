// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import dev.perdure.policy.Problem;
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

/** Reads {@code perdure.yaml}: a name and a value a line. */
public final class ConfigurationFile {

  /** The file that is read when none is named and it is there. */
  public static final Path USUAL = Path.of("perdure.yaml");

  private static final int MOST_CHARACTERS = 64 * 1024;

  private ConfigurationFile() {}

  /** What this file says. */
  public static Layer read(Path file) {
    return parse(file.toString(), text(file));
  }

  private static String text(Path file) {
    try {
      if (Files.size(file) > MOST_CHARACTERS) {
        throw wrong(
            file.toString(), "is larger than the %d bytes allowed".formatted(MOST_CHARACTERS));
      }
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw wrong(file.toString(), "there is no such file");
    } catch (CharacterCodingException e) {
      throw wrong(file.toString(), "is not UTF-8 text");
    } catch (IOException e) {
      throw wrong(file.toString(), "cannot be read: " + e);
    }
  }

  static Layer parse(String file, String text) {
    Object yaml = loaded(file, text);
    if (yaml == null) {
      return Layer.file(file, Map.of());
    }
    if (!(yaml instanceof Map<?, ?> map)) {
      throw wrong(file, "must hold names and values, one a line, such as 'port: 8085'");
    }
    List<Problem> problems = new ArrayList<>();
    Map<String, String> words = new LinkedHashMap<>();
    map.forEach(
        (name, value) -> {
          String key = String.valueOf(name);
          if (value == null || value instanceof Map || value instanceof Iterable) {
            problems.add(
                new Problem(
                    file + ": " + Problem.quotable(key), "must be one value: text or a number"));
          } else {
            words.put(key, value.toString());
          }
        });
    Layer layer = Layer.file(file, words);
    problems.addAll(layer.problems());
    return new Layer(layer.words(), problems);
  }

  private static @Nullable Object loaded(String file, String text) {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(file)
            .setAllowDuplicateKeys(false)
            .setCodePointLimit(MOST_CHARACTERS)
            .build();
    try {
      return new Load(settings).loadFromString(text);
    } catch (MarkedYamlEngineException e) {
      String line = e.getProblemMark().map(mark -> " in line " + (mark.getLine() + 1)).orElse("");
      throw wrong(
          file, "is not YAML" + line + ": " + Objects.toString(e.getProblem(), "unreadable"));
    } catch (YamlEngineException e) {
      throw wrong(file, "is not YAML: " + Problem.quotable(String.valueOf(e.getMessage())));
    }
  }

  private static InvalidConfigurationException wrong(String file, String message) {
    return new InvalidConfigurationException(List.of(new Problem(file, message)));
  }
}
