// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.policy.Problem;
import dev.perdure.server.cli.client.Answer;
import dev.perdure.server.cli.client.Client;
import dev.perdure.server.cli.client.RefusedException;
import dev.perdure.server.cli.text.TaskText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Submits the tasks in a file. */
@Command(
    name = "submit",
    description = "Submits tasks: all of them or none.",
    footer = {
      "",
      "Examples:",
      "  perdure submit tasks.json",
      "  perdure submit nightly.json --idempotency-key nightly-2026-01-31",
      "  echo '{\"kind\": \"send-email\"}' | perdure submit -"
    })
final class SubmitCommand implements Callable<Integer> {

  private static final int LARGEST = 64 * 1024 * 1024;
  private static final Duration BEFORE_AGAIN = Duration.ofSeconds(1);
  private static final Pattern KEY = Pattern.compile("[ -~]{1,255}");

  @Parameters(
      paramLabel = "FILE",
      description = "JSON: a task, an array of tasks, or a batch of them; - for standard input.")
  private String file = "";

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description = "Names this submission: the same under the same key is taken once.")
  private @Nullable String key;

  @Mixin private ServerOptions server = new ServerOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final Shell shell;

  SubmitCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    String body = read();
    String submission = key == null ? shell.uniqueName() : key();
    try (Client client = server.client(shell)) {
      Answer answer = submitted(client, body, submission);
      if (output.json) {
        answer.json().forEach(shell.out()::println);
      } else {
        TaskText.submitted(output.page(shell), answer.json(), shell.call());
      }
    }
    return Perdure.DONE;
  }

  /** What the server says of the body as a whole is true of the file. */
  private Answer submitted(Client client, String body, String submission) {
    try {
      return client.submit(body, submission, () -> shell.pause(BEFORE_AGAIN));
    } catch (RefusedException e) {
      if (!e.isInvalid()) {
        throw e;
      }
      throw new WrongUseException(
          e.problems().stream()
              .map(problem -> problem.path().isEmpty() ? ofFile(problem.message()) : problem)
              .toList());
    }
  }

  private static Problem ofFile(String message) {
    return new Problem("FILE", message.replaceFirst("^the body ", ""));
  }

  private String key() {
    String text = String.valueOf(key);
    if (!KEY.matcher(text).matches()) {
      throw new WrongUseException(
          "--idempotency-key", "must have 1 to 255 printable ASCII characters");
    }
    return text;
  }

  private String read() {
    try {
      return file.equals("-")
          ? BoundedText.standardInput(shell, LARGEST)
          : BoundedText.read(Path.of(file), LARGEST);
    } catch (InvalidPathException e) {
      throw new WrongUseException("FILE", "cannot be a file: " + e.getReason());
    }
  }
}
