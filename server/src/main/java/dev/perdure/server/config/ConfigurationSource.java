// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one place says: the file, the environment, or the flags.
 *
 * @param problems what it says that is no setting
 */
public record ConfigurationSource(Map<Setting<?>, RawValue> values, List<FieldError> problems) {

  public ConfigurationSource {
    values = Map.copyOf(values);
    problems = List.copyOf(problems);
  }

  /**
   * A text and where it stands.
   *
   * @param path for an error
   * @param origin for people
   */
  public record RawValue(String path, String text, String origin) {}

  /** The variables of the environment that are settings; an empty one says nothing. */
  public static ConfigurationSource environment(
      List<Setting<?>> settings, Map<String, String> environment) {
    Map<Setting<?>, RawValue> rawValues = new LinkedHashMap<>();
    for (Setting<?> setting : settings) {
      String text = environment.getOrDefault(setting.environmentVariable(), "");
      if (!text.isEmpty()) {
        rawValues.put(setting, new RawValue(setting.environmentVariable(), text, "environment"));
      }
    }
    return new ConfigurationSource(rawValues, List.of());
  }

  /** What was given on the command line, by setting. */
  public static ConfigurationSource flags(Map<Setting<?>, String> given) {
    Map<Setting<?>, RawValue> rawValues = new LinkedHashMap<>();
    given.forEach(
        (setting, text) ->
            rawValues.put(setting, new RawValue(setting.flag(), text, "command line")));
    return new ConfigurationSource(rawValues, List.of());
  }

  /** What a file says, by name. */
  static ConfigurationSource file(
      List<Setting<?>> settings, String file, Map<String, String> given) {
    Map<Setting<?>, RawValue> rawValues = new LinkedHashMap<>();
    List<FieldError> fieldErrors = new ArrayList<>();
    given.forEach(
        (name, text) -> {
          String path = file + ": " + FieldError.sanitize(name);
          settings.stream()
              .filter(setting -> setting.name().equals(name))
              .findFirst()
              .ifPresentOrElse(
                  setting -> rawValues.put(setting, new RawValue(path, text, file)),
                  () -> fieldErrors.add(new FieldError(path, unknownSetting(settings, name))));
        });
    return new ConfigurationSource(rawValues, fieldErrors);
  }

  private static String unknownSetting(List<Setting<?>> settings, String name) {
    return "is no setting"
        + NearestName.hint(name, settings.stream().map(Setting::name).toList())
        + " (perdure config lists them all)";
  }
}
