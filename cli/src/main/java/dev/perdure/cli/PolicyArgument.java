// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.NearestName;
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
  static RetryPolicy read(CliContext cliContext, String given) {
    String text = given.strip();
    if (text.startsWith("{") || text.startsWith("[")) {
      return PolicyJson.read(text);
    }
    return switch (text) {
      case "" -> throw new UsageException("POLICY", "is missing: " + DESCRIPTION);
      case "http" -> RetryPolicy.http();
      case "queue" -> RetryPolicy.queue();
      case "transient" -> RetryPolicy.transientErrors();
      case "-" ->
          PolicyJson.read(BoundedTextReader.readStandardInput(cliContext, PolicyJson.MAX_LENGTH));
      default -> PolicyJson.read(BoundedTextReader.read(file(text), PolicyJson.MAX_LENGTH));
    };
  }

  private static Path file(String text) {
    try {
      Path file = Path.of(text);
      if (Files.exists(file)) {
        return file;
      }
    } catch (InvalidPathException e) {
      throw new UsageException("POLICY", "'" + FieldError.sanitize(text) + "' cannot be a file");
    }
    throw new UsageException(
        "POLICY",
        "there is no file '%s'%s (POLICY is %s)"
            .formatted(FieldError.sanitize(text), NearestName.hint(text, PRESETS), DESCRIPTION));
  }
}
