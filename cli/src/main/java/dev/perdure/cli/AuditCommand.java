// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.AuditText;
import dev.perdure.client.AuditInfo;
import dev.perdure.client.PerdureClient;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists what operators did. */
@Command(
    name = "audit",
    description = "List what operators did, newest first.",
    footer = {
      "",
      "With --json, each line is an entry.",
      "",
      "Examples:",
      "  perdure audit",
      "  perdure audit --subject 8a1c-2f7e-7d3a"
    })
final class AuditCommand implements Callable<Integer> {

  @Option(
      names = "--subject",
      paramLabel = "ID",
      description = "Only entries about this task, batch, delivery, key or kind.")
  private @Nullable String subject;

  @Option(names = "--limit", paramLabel = "N", description = "Show at most N entries (50).")
  private @Nullable String limit;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  AuditCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    int max = PagedList.limit(limit);
    try (PerdureClient client = server.client(context)) {
      Map<String, @Nullable String> query = new LinkedHashMap<>();
      query.put("subject", subject == null ? null : IdArguments.resolveSubject(client, subject));
      PagedList<AuditInfo> entries =
          PagedList.read(context, output, client, "/audit", query, max, AuditInfo::of);
      if (!output.json) {
        AuditText.list(output.writer(context), entries.entries(), entries.more(), entries.now());
      }
    }
    return Perdure.EXIT_OK;
  }
}
