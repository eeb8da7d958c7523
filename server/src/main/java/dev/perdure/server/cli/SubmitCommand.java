// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.server.cli.client.Answer;
import dev.perdure.server.cli.client.Client;
import dev.perdure.server.cli.text.TaskText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Submits the tasks in a file. */
@Command(
    name = "submit",
    description = "Submits tasks: all of them or none.",
    footer = {
      "",
      "Examples:",
      "  perdure submit tasks.json",
      "  echo '{\"kind\": \"send-email\"}' | perdure submit -"
    })
final class SubmitCommand implements Callable<Integer> {

  private static final int LARGEST = 64 * 1024 * 1024;

  @Parameters(
      paramLabel = "FILE",
      description = "JSON: a task or an array of tasks; - for standard input.")
  private String file = "";

  @Mixin private ServerOptions server = new ServerOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final Shell shell;

  SubmitCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    String body = read();
    try (Client client = server.client(shell)) {
      Answer answer = client.send("POST", "/task", body);
      if (output.json) {
        answer.json().forEach(shell.out()::println);
      } else {
        TaskText.submitted(output.page(shell), answer.json());
      }
    }
    return Perdure.DONE;
  }

  private String read() {
    if (file.equals("-")) {
      return BoundedText.read("standard input", shell.in(), LARGEST);
    }
    try {
      return BoundedText.read(Path.of(file), LARGEST);
    } catch (InvalidPathException e) {
      throw new WrongUseException("FILE", "cannot be a file: " + e.getReason());
    }
  }
}
