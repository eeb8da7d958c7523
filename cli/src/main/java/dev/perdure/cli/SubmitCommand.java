// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.TaskText;
import dev.perdure.client.ApiException;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
import dev.perdure.policy.FieldError;
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

  private static final int MAX_BYTES = 64 * 1024 * 1024;
  private static final Duration RESEND_DELAY = Duration.ofSeconds(1);
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

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext cliContext;

  SubmitCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    String body = read();
    String submission = key == null ? cliContext.randomName() : key();
    try (PerdureClient perdureClient = server.client(cliContext)) {
      ApiResponse apiResponse = submit(perdureClient, body, submission);
      if (output.json) {
        apiResponse.json().forEach(cliContext.out()::println);
      } else {
        TaskText.submitted(
            output.writer(cliContext), apiResponse.json(), cliContext.commandPrefix());
      }
    }
    return Perdure.EXIT_OK;
  }

  /** What the server says of the body as a whole is true of the file. */
  private ApiResponse submit(PerdureClient perdureClient, String body, String submission) {
    try {
      return perdureClient.submit(body, submission, () -> cliContext.sleep(RESEND_DELAY));
    } catch (ApiException e) {
      if (!e.isInvalid()) {
        throw e;
      }
      throw new UsageException(
          e.problems().stream()
              .map(
                  fieldError ->
                      fieldError.path().isEmpty() ? fileProblem(fieldError.message()) : fieldError)
              .toList());
    }
  }

  private static FieldError fileProblem(String message) {
    return new FieldError("FILE", message.replaceFirst("^the body ", ""));
  }

  private String key() {
    String text = String.valueOf(key);
    if (!KEY.matcher(text).matches()) {
      throw new UsageException(
          "--idempotency-key", "must have 1 to 255 printable ASCII characters");
    }
    return text;
  }

  private String read() {
    try {
      return file.equals("-")
          ? BoundedTextReader.readStandardInput(cliContext, MAX_BYTES)
          : BoundedTextReader.read(Path.of(file), MAX_BYTES);
    } catch (InvalidPathException e) {
      throw new UsageException("FILE", "cannot be a file: " + e.getReason());
    }
  }
}
