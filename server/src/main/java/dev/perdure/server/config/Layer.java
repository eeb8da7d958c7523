// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import dev.perdure.policy.NearestName;
import dev.perdure.policy.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one place says: the file, the environment, or the flags.
 *
 * @param problems what it says that is no setting
 */
public record Layer(Map<Setting<?>, Word> words, List<Problem> problems) {

  public Layer {
    words = Map.copyOf(words);
    problems = List.copyOf(problems);
  }

  /**
   * A text and where it stands.
   *
   * @param path for an error
   * @param from for people
   */
  public record Word(String path, String text, String from) {}

  /** The variables of the environment that are settings; an empty one says nothing. */
  public static Layer environment(Map<String, String> environment) {
    Map<Setting<?>, Word> words = new LinkedHashMap<>();
    for (Setting<?> setting : Settings.ALL) {
      String text = environment.getOrDefault(setting.variable(), "");
      if (!text.isEmpty()) {
        words.put(setting, new Word(setting.variable(), text, "environment"));
      }
    }
    return new Layer(words, List.of());
  }

  /** What was given on the command line, by setting. */
  public static Layer flags(Map<Setting<?>, String> given) {
    Map<Setting<?>, Word> words = new LinkedHashMap<>();
    given.forEach(
        (setting, text) -> words.put(setting, new Word(setting.flag(), text, "command line")));
    return new Layer(words, List.of());
  }

  /** What a file says, by name. */
  static Layer file(String file, Map<String, String> given) {
    Map<Setting<?>, Word> words = new LinkedHashMap<>();
    List<Problem> problems = new ArrayList<>();
    given.forEach(
        (name, text) -> {
          String path = file + ": " + Problem.quotable(name);
          Settings.ALL.stream()
              .filter(setting -> setting.name().equals(name))
              .findFirst()
              .ifPresentOrElse(
                  setting -> words.put(setting, new Word(path, text, file)),
                  () -> problems.add(new Problem(path, unknown(name))));
        });
    return new Layer(words, problems);
  }

  private static String unknown(String name) {
    return "is no setting"
        + NearestName.hint(name, Settings.names())
        + " (perdure config lists them all)";
  }
}
