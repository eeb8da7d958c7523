// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * One thing that an operator can say.
 *
 * @param name in the file
 * @param environmentVariable in the environment
 * @param defaultText what holds when nobody says anything, as an operator would write it
 * @param parser the value of a text; throws IllegalArgumentException, saying what would be right
 * @param redactor the text as it may be shown to people: without secrets
 * @param description one sentence
 */
public record Setting<T>(
    String name,
    String environmentVariable,
    String defaultText,
    Function<String, T> parser,
    UnaryOperator<String> redactor,
    String description) {

  public static <T> Setting<T> of(
      String name, String otherwise, Function<String, T> parser, String description) {
    return new Setting<>(
        name,
        name.toUpperCase(Locale.ROOT),
        otherwise,
        parser,
        UnaryOperator.identity(),
        description);
  }

  public Setting<T> redactedBy(UnaryOperator<String> value) {
    return new Setting<>(name, environmentVariable, defaultText, parser, value, description);
  }

  /** On the command line. */
  public String flag() {
    return "--" + name.replace('_', '-');
  }

  /** True when the flag alone means yes. */
  public boolean isSwitch() {
    return defaultText.equals("false") || defaultText.equals("true");
  }
}
