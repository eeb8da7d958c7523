// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * One setting.
 *
 * @param name its name in the file
 * @param environmentVariable its name in the environment
 * @param defaultText the default, as an operator would write it
 * @param parser turns the text and the environment into a value; throws IllegalArgumentException
 *     that says what is allowed
 * @param redactor removes secrets from the text before it is shown
 * @param description for the reference page and the help of the command line
 */
public record Setting<T>(
    String name,
    String environmentVariable,
    String defaultText,
    BiFunction<String, Map<String, String>, T> parser,
    UnaryOperator<String> redactor,
    String description) {

  /** The default of a setting that is an object. */
  public static final String EMPTY_OBJECT = "{}";

  private static final UnaryOperator<String> MASKED = SettingParsers::masked;

  public static <T> Setting<T> of(
      String name, String defaultText, Function<String, T> parser, String description) {
    return withVariables(name, defaultText, (text, environment) -> parser.apply(text), description);
  }

  /** A setting whose value can use environment variables. */
  public static <T> Setting<T> withVariables(
      String name,
      String defaultText,
      BiFunction<String, Map<String, String>, T> parser,
      String description) {
    return new Setting<>(
        name,
        name.toUpperCase(Locale.ROOT),
        defaultText,
        parser,
        UnaryOperator.identity(),
        description);
  }

  /** A copy of which nothing is ever shown. */
  public Setting<T> secret() {
    return redactedBy(MASKED);
  }

  public Setting<T> redactedBy(UnaryOperator<String> value) {
    return new Setting<>(name, environmentVariable, defaultText, parser, value, description);
  }

  /** True if nothing of its text is ever shown. */
  boolean isSecret() {
    return redactor.equals(MASKED);
  }

  /** Its name on the command line. */
  public String flag() {
    return "--" + name.replace('_', '-');
  }

  /** True if the flag without a value means {@code true}. */
  public boolean isSwitch() {
    return defaultText.equals("false") || defaultText.equals("true");
  }

  /** True if its text is a JSON object, which may be nested values in the file. */
  boolean isObject() {
    return defaultText.equals(EMPTY_OBJECT);
  }
}
