// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.InvalidPolicyException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All settings with their values and where each value comes from. Immutable. */
public final class Configuration {

  /** The origin of a value that no source sets. */
  public static final String DEFAULT = "default";

  private final Map<Setting<?>, Entry> entries;

  private Configuration(Map<Setting<?>, Entry> entries) {
    this.entries = entries;
  }

  /**
   * The value of one setting.
   *
   * @param origin the source that sets it, for people
   */
  public record Entry(Setting<?> setting, String text, String origin, Object value) {

    /** True if no source sets it. */
    public boolean isDefault() {
      return origin.equals(DEFAULT);
    }

    /** The kind of source that sets it: default, environment, flag or file. */
    public String source() {
      return switch (origin) {
        case DEFAULT, ConfigurationSource.ENVIRONMENT -> origin;
        case ConfigurationSource.COMMAND_LINE -> "flag";
        default -> "file";
      };
    }

    /** True if the value as a whole is a secret, and not only a part of it. */
    public boolean isSecret() {
      return setting.isSecret();
    }

    /** The text without secrets. */
    public String redactedText() {
      return setting.redactor().apply(text);
    }
  }

  /** Combines the sources without an environment for variables in their values. */
  public static Configuration of(List<Setting<?>> settings, List<ConfigurationSource> sources) {
    return of(settings, sources, Map.of());
  }

  /**
   * Combines the sources; a later source wins, and settings that no source sets have defaults.
   *
   * @param settings all known settings
   * @param environment what variables in values stand for
   * @throws InvalidConfigurationException with the errors of all sources
   */
  public static Configuration of(
      List<Setting<?>> settings,
      List<ConfigurationSource> sources,
      Map<String, String> environment) {
    List<FieldError> fieldErrors = new ArrayList<>();
    Map<Setting<?>, Entry> entries = new LinkedHashMap<>();
    for (Setting<?> setting : settings) {
      entries.put(setting, parsed(setting, "", setting.defaultText(), DEFAULT, environment));
    }
    for (ConfigurationSource source : sources) {
      fieldErrors.addAll(source.problems());
      source
          .values()
          .forEach(
              (setting, rawValue) -> add(entries, setting, rawValue, environment, fieldErrors));
    }
    if (!fieldErrors.isEmpty()) {
      throw new InvalidConfigurationException(fieldErrors);
    }
    return new Configuration(entries);
  }

  private static void add(
      Map<Setting<?>, Entry> entries,
      Setting<?> setting,
      ConfigurationSource.RawValue rawValue,
      Map<String, String> environment,
      List<FieldError> fieldErrors) {
    try {
      entries.put(
          setting,
          parsed(setting, rawValue.path(), rawValue.text(), rawValue.origin(), environment));
    } catch (InvalidConfigurationException e) {
      fieldErrors.addAll(e.problems());
    }
  }

  private static Entry parsed(
      Setting<?> setting,
      String path,
      String text,
      String origin,
      Map<String, String> environment) {
    try {
      return new Entry(setting, text, origin, setting.parser().apply(text, environment));
    } catch (InvalidPolicyException e) {
      throw new InvalidConfigurationException(
          e.errors().stream().map(error -> error.under(path)).toList());
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationException(
          List.of(new FieldError(path, String.valueOf(e.getMessage()))));
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // The setting's parser made it.
  public <T> T get(Setting<T> setting) {
    return (T) entry(setting).value();
  }

  public Entry entry(Setting<?> setting) {
    Entry entry = entries.get(setting);
    if (entry == null) {
      throw new IllegalArgumentException(setting.name() + " is not a known setting");
    }
    return entry;
  }

  /** All values, in the order of the settings. */
  public List<Entry> entries() {
    return List.copyOf(entries.values());
  }
}
