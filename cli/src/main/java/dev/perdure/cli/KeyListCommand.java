// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.KeyText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** Lists keys. */
@Command(
    name = "list",
    description = "Lists the keys, newest first, those that are revoked too.",
    footer = {"", "Example:", "  perdure key list"})
final class KeyListCommand implements Callable<Integer> {

  @Mixin private KeyAdminOptions target = new KeyAdminOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext cliContext;

  KeyListCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    try (KeyAdmin desk = target.open(cliContext)) {
      JsonNode keys = desk.list();
      if (output.json) {
        keys.forEach(cliContext.out()::println);
      } else {
        KeyText.list(output.writer(cliContext), keys, cliContext.now());
      }
    }
    return Perdure.EXIT_OK;
  }
}
