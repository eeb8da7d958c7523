// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.KeyText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** Lists API keys. */
@Command(
    name = "list",
    description = "List all keys, newest first, revoked ones included.",
    footer = {"", "Example:", "  perdure key list"})
final class KeyListCommand implements Callable<Integer> {

  @Mixin private KeyAdminOptions target = new KeyAdminOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  KeyListCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (KeyAdmin admin = target.open(context)) {
      JsonNode keys = admin.list();
      if (output.json) {
        keys.forEach(context.out()::println);
      } else {
        KeyText.list(output.writer(context), keys, context.now());
      }
    }
    return Perdure.EXIT_OK;
  }
}
