// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.KeyText;
import dev.perdure.policy.FieldError;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Revokes an API key. */
@Command(
    name = "revoke",
    description = "Revoke a key; it stops working within seconds.",
    footer = {"", "Example:", "  perdure key revoke 4n9q0a2kx71b"})
final class KeyRevokeCommand implements Callable<Integer> {

  @Parameters(paramLabel = "ID", description = "The key's id, from: perdure key list.")
  private String id = "";

  @Mixin private KeyAdminOptions target = new KeyAdminOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  KeyRevokeCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (KeyAdmin keys = target.open(context)) {
      JsonNode revoked =
          keys.revoke(id)
              .orElseThrow(
                  () ->
                      new NotFoundException(
                          "there is no key '%s'".formatted(FieldError.sanitize(id))));
      if (output.json) {
        context.out().println(revoked);
      } else {
        KeyText.revoked(output.writer(context), revoked);
      }
    }
    return Perdure.EXIT_OK;
  }
}
