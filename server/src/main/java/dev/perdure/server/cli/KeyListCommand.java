// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.server.cli.text.KeyText;
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

  @Mixin private KeyPlace place = new KeyPlace();

  @Mixin private OutputOptions output = new OutputOptions();

  private final Shell shell;

  KeyListCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    try (KeyDesk desk = place.desk(shell)) {
      JsonNode keys = desk.list();
      if (output.json) {
        keys.forEach(shell.out()::println);
      } else {
        KeyText.list(output.page(shell), keys, shell.now());
      }
    }
    return Perdure.DONE;
  }
}
