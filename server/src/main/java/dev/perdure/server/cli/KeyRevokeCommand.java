// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.policy.Problem;
import dev.perdure.server.cli.text.KeyText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Takes a key back. */
@Command(
    name = "revoke",
    description = "Takes a key back: within seconds it opens nothing any more.",
    footer = {"", "Example:", "  perdure key revoke 4n9q0a2kx71b"})
final class KeyRevokeCommand implements Callable<Integer> {

  @Parameters(paramLabel = "ID", description = "The key's id, as in: perdure key list.")
  private String id = "";

  @Mixin private KeyPlace place = new KeyPlace();

  @Mixin private OutputOptions output = new OutputOptions();

  private final Shell shell;

  KeyRevokeCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    try (KeyDesk desk = place.desk(shell)) {
      JsonNode revoked =
          desk.revoke(id)
              .orElseThrow(
                  () ->
                      new AnswerIsNoException(
                          "there is no key '%s'".formatted(Problem.quotable(id))));
      if (output.json) {
        shell.out().println(revoked);
      } else {
        KeyText.revoked(output.page(shell), revoked);
      }
    }
    return Perdure.DONE;
  }
}
