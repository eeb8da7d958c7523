// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.KeyText;
import dev.perdure.policy.FieldError;
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

  @Mixin private KeyAdminOptions target = new KeyAdminOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext cliContext;

  KeyRevokeCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    try (KeyAdmin desk = target.open(cliContext)) {
      JsonNode revoked =
          desk.revoke(id)
              .orElseThrow(
                  () ->
                      new NotFoundException(
                          "there is no key '%s'".formatted(FieldError.sanitize(id))));
      if (output.json) {
        cliContext.out().println(revoked);
      } else {
        KeyText.revoked(output.writer(cliContext), revoked);
      }
    }
    return Perdure.EXIT_OK;
  }
}
