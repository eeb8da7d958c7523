// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.NameSuggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One place that sets values: the file, the environment or the command line.
 *
 * @param problems errors of the source itself, such as unknown settings
 */
public record ConfigurationSource(Map<Setting<?>, RawValue> values, List<FieldError> problems) {

  static final String ENVIRONMENT = "environment";
  static final String COMMAND_LINE = "command line";

  public ConfigurationSource {
    values = Map.copyOf(values);
    problems = List.copyOf(problems);
  }

  /**
   * A value as written.
   *
   * @param path names the value in errors
   * @param origin names the source, for people
   */
  public record RawValue(String path, String text, String origin) {}

  /** The environment. Variables that are empty or not settings are ignored. */
  public static ConfigurationSource environment(
      List<Setting<?>> settings, Map<String, String> environment) {
    Map<Setting<?>, RawValue> rawValues = new LinkedHashMap<>();
    for (Setting<?> setting : settings) {
      String text = environment.getOrDefault(setting.environmentVariable(), "");
      if (!text.isEmpty()) {
        rawValues.put(setting, new RawValue(setting.environmentVariable(), text, ENVIRONMENT));
      }
    }
    return new ConfigurationSource(rawValues, List.of());
  }

  /** The command line. */
  public static ConfigurationSource flags(Map<Setting<?>, String> given) {
    Map<Setting<?>, RawValue> rawValues = new LinkedHashMap<>();
    given.forEach(
        (setting, text) ->
            rawValues.put(setting, new RawValue(setting.flag(), text, COMMAND_LINE)));
    return new ConfigurationSource(rawValues, List.of());
  }

  /** A file, by the names of its settings. */
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
    return "is not a setting"
        + NameSuggestion.hint(name, settings.stream().map(Setting::name).toList())
        + " (perdure config lists all settings)";
  }
}
