// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.TaskText;
import dev.perdure.client.ApiException;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.SubmitResponse;
import dev.perdure.client.TransportException;
import dev.perdure.policy.FieldError;
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
    description = "Submit the tasks in a file: all of them or none.",
    footer = {
      "",
      "Examples:",
      "  perdure submit tasks.json",
      "  perdure submit nightly.json --idempotency-key nightly-2026-01-31",
      "  echo '{\"kind\": \"send-email\"}' | perdure submit -"
    })
final class SubmitCommand implements Callable<Integer> {

  private static final int MAX_CHARACTERS = 64 * 1024 * 1024;
  private static final Pattern KEY = Pattern.compile("[ -~]{1,255}");

  @Parameters(
      paramLabel = "FILE",
      description = "JSON: a task, an array of tasks or a batch; - for standard input.")
  private String file = "";

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description = "The server accepts a submission with the same key only once.")
  private @Nullable String key;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  SubmitCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    String body = BoundedTextReader.readArgument(context, file, MAX_CHARACTERS);
    String idempotencyKey = key == null ? context.randomName() : key();
    try (PerdureClient client = server.client(context)) {
      ApiResponse response = submit(client, body, idempotencyKey);
      if (response.json().isEmpty()) {
        throw new UsageException("FILE", "must contain at least one task");
      }
      if (output.json) {
        response.json().forEach(context.out()::println);
      } else if (response.isIdOnly()) {
        TaskText.submittedUnread(output.writer(context), response.json().size());
      } else {
        TaskText.submitted(
            output.writer(context), SubmitResponse.of(response), context.commandPrefix());
      }
    }
    return Perdure.EXIT_OK;
  }

  private static ApiResponse submit(PerdureClient client, String body, String idempotencyKey) {
    try {
      return client.submitJson(idempotencyKey, body);
    } catch (TransportException e) {
      if (!e.outcomeUnknown()) {
        throw e;
      }
      throw repeatable(e.getMessage(), idempotencyKey);
    } catch (ApiException e) {
      if (e.isTemporary() || e.outcomeUnknown()) {
        throw repeatable(e.detail(), idempotencyKey);
      }
      if (!e.isInvalid()) {
        throw e;
      }
      throw new UsageException(
          ErrorReporter.errors(e).stream().map(SubmitCommand::inFile).toList());
    }
  }

  private static UsageException repeatable(@Nullable String message, String idempotencyKey) {
    return new UsageException(
        "",
        "%s (to submit again without duplicates, add --idempotency-key %s)"
            .formatted(message, idempotencyKey));
  }

  /** An error about the body as a whole is an error about the file. */
  private static FieldError inFile(FieldError error) {
    return error.path().isEmpty()
        ? new FieldError("FILE", error.message().replaceFirst("^the body ", ""))
        : error;
  }

  private String key() {
    String text = String.valueOf(key);
    if (!KEY.matcher(text).matches()) {
      throw new UsageException("--idempotency-key", "must be 1 to 255 printable ASCII characters");
    }
    return text;
  }
}
