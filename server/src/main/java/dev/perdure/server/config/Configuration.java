// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import dev.perdure.policy.FieldError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every setting with its value in force, and where that came from. Immutable. */
public final class Configuration {

  /** Where a value came from when nobody said anything. */
  public static final String DEFAULT = "default";

  private final Map<Setting<?>, Entry> entries;

  private Configuration(Map<Setting<?>, Entry> entries) {
    this.entries = entries;
  }

  /**
   * One value in force.
   *
   * @param origin who said so, for people
   */
  public record Entry(Setting<?> setting, String text, String origin, Object value) {

    /** True when nobody said anything. */
    public boolean isDefault() {
      return origin.equals(DEFAULT);
    }

    /** The text without secrets. */
    public String redactedText() {
      return setting.redactor().apply(text);
    }
  }

  /**
   * The values in force: what the sources set, of which later ones win, else the defaults.
   *
   * @param settings every setting there is
   * @throws InvalidConfigurationException with everything that is wrong in any of them
   */
  public static Configuration of(List<Setting<?>> settings, List<ConfigurationSource> sources) {
    List<FieldError> fieldErrors = new ArrayList<>();
    Map<Setting<?>, Entry> entries = new LinkedHashMap<>();
    for (Setting<?> setting : settings) {
      entries.put(setting, parsed(setting, "", setting.defaultText(), DEFAULT));
    }
    for (ConfigurationSource source : sources) {
      fieldErrors.addAll(source.problems());
      source.values().forEach((setting, rawValue) -> add(entries, setting, rawValue, fieldErrors));
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
      List<FieldError> fieldErrors) {
    try {
      entries.put(setting, parsed(setting, rawValue.path(), rawValue.text(), rawValue.origin()));
    } catch (InvalidConfigurationException e) {
      fieldErrors.addAll(e.problems());
    }
  }

  private static Entry parsed(Setting<?> setting, String path, String text, String from) {
    try {
      return new Entry(setting, text, from, setting.parser().apply(text));
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationException(
          List.of(new FieldError(path, String.valueOf(e.getMessage()))));
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Its own parser made it.
  public <T> T get(Setting<T> setting) {
    return (T) entry(setting).value();
  }

  public Entry entry(Setting<?> setting) {
    Entry entry = entries.get(setting);
    if (entry == null) {
      throw new IllegalArgumentException(setting.name() + " is not in the table of settings");
    }
    return entry;
  }

  /** All of them, in the table's order. */
  public List<Entry> entries() {
    return List.copyOf(entries.values());
  }
}
