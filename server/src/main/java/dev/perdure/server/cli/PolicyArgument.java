// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.policy.NearestName;
import dev.perdure.policy.Problem;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.PolicyJson;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** Finds the policy that POLICY stands for. */
final class PolicyArgument {

  static final String DESCRIPTION =
      "JSON, a preset (http, queue, transient), a file, or - for standard input.";

  private static final List<String> PRESETS = List.of("http", "queue", "transient");

  private PolicyArgument() {}

  /** The policy; throws with all that is wrong with it. */
  static RetryPolicy read(Shell shell, String given) {
    String text = given.strip();
    if (text.startsWith("{") || text.startsWith("[")) {
      return PolicyJson.read(text);
    }
    return switch (text) {
      case "" -> throw new WrongUseException("POLICY", "is missing: " + DESCRIPTION);
      case "http" -> RetryPolicy.http();
      case "queue" -> RetryPolicy.queue();
      case "transient" -> RetryPolicy.transientErrors();
      case "-" -> PolicyJson.read(BoundedText.standardInput(shell, PolicyJson.MOST_CHARACTERS));
      default -> PolicyJson.read(BoundedText.read(file(text), PolicyJson.MOST_CHARACTERS));
    };
  }

  private static Path file(String text) {
    try {
      Path file = Path.of(text);
      if (Files.exists(file)) {
        return file;
      }
    } catch (InvalidPathException e) {
      throw new WrongUseException("POLICY", "'" + Problem.quotable(text) + "' cannot be a file");
    }
    throw new WrongUseException(
        "POLICY",
        "there is no file '%s'%s (POLICY is %s)"
            .formatted(Problem.quotable(text), NearestName.hint(text, PRESETS), DESCRIPTION));
  }
}
