// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.client.BulkResult;

/** Prints the result of a bulk action for people. */
public final class BulkText {

  private BulkText() {}

  public static void print(
      TerminalWriter writer, String action, boolean dryRun, BulkResult result) {
    writer.paragraph(
        "%s: %s%s, %s skipped because of their state%s"
            .formatted(
                action,
                NumberFormatting.count(result.changed(), "task", "tasks"),
                dryRun ? " would be changed" : " changed",
                NumberFormatting.count(result.skipped()),
                dryRun ? " (dry run)" : ""));
  }
}
