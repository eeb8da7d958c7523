// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * One thing that an operator can say.
 *
 * @param name in the file
 * @param variable in the environment
 * @param otherwise what holds when nobody says anything, as an operator would write it
 * @param parser the value of a text; throws IllegalArgumentException, saying what would be right
 * @param shown the text as it may be shown to people: without secrets
 * @param description one sentence
 */
public record Setting<T>(
    String name,
    String variable,
    String otherwise,
    Function<String, T> parser,
    UnaryOperator<String> shown,
    String description) {

  static <T> Setting<T> of(
      String name, String otherwise, Function<String, T> parser, String description) {
    return new Setting<>(
        name,
        name.toUpperCase(Locale.ROOT),
        otherwise,
        parser,
        UnaryOperator.identity(),
        description);
  }

  Setting<T> shownBy(UnaryOperator<String> value) {
    return new Setting<>(name, variable, otherwise, parser, value, description);
  }

  /** On the command line. */
  public String flag() {
    return "--" + name.replace('_', '-');
  }

  /** True when the flag alone means yes. */
  public boolean isSwitch() {
    return otherwise.equals("false") || otherwise.equals("true");
  }
}
