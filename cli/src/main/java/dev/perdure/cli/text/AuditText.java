// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.client.AuditInfo;
import dev.perdure.policy.InstantText;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Prints what operators did for people. */
public final class AuditText {

  private static final int UUID_LENGTH = 36;

  private AuditText() {}

  /**
   * A list of entries.
   *
   * @param more whether there are more than these
   */
  public static void list(
      TerminalWriter writer, List<AuditInfo> entries, boolean more, Instant now) {
    if (entries.isEmpty()) {
      writer.paragraph("No entries.");
      return;
    }
    new FittedTable<AuditInfo>()
        .left("when", entry -> TaskLabels.text(when(writer, entry, now)))
        .left("who", entry -> StyledText.of(entry.who()))
        .left("action", entry -> StyledText.of(entry.action()))
        .left("subject", entry -> subject(writer, entry))
        .wrapped("detail", entry -> StyledText.unbreakable(detail(entry)))
        .print(writer, entries);
    if (more) {
      writer.blank();
      writer.paragraph("There are more; --limit shows them.", AnsiStyle.FAINT);
    }
  }

  private static @Nullable String when(TerminalWriter writer, AuditInfo entry, Instant now) {
    return writer.isUnlimited() ? InstantText.of(entry.at()) : RelativeTime.of(entry.at(), now);
  }

  /** Keys have ids of their own form, which are short. */
  private static StyledText subject(TerminalWriter writer, AuditInfo entry) {
    String subject = entry.subject() == null ? "" : entry.subject();
    return subject.length() == UUID_LENGTH
        ? TaskLabels.id(UUID.fromString(subject), writer)
        : StyledText.of(subject);
  }

  private static String detail(AuditInfo entry) {
    return entry.detail() == null || entry.detail().isEmpty() ? "" : entry.detail().toString();
  }
}
