// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.client.DeliveryInfo;
import java.time.Instant;
import java.util.List;

/** Prints webhook deliveries for people. */
public final class DeliveryText {

  private DeliveryText() {}

  /**
   * A list of deliveries.
   *
   * @param more whether there are more than these
   */
  public static void list(
      TerminalWriter writer, List<DeliveryInfo> deliveries, boolean more, Instant now) {
    if (deliveries.isEmpty()) {
      writer.paragraph("No deliveries.");
      return;
    }
    new FittedTable<DeliveryInfo>()
        .left("id", delivery -> TaskLabels.id(delivery.id(), writer))
        .left("state", delivery -> state(delivery))
        .left("trigger", delivery -> StyledText.of(delivery.trigger()))
        .left("task", delivery -> TaskLabels.id(delivery.taskId(), writer))
        .left("when", delivery -> StyledText.of(when(delivery, now)))
        .text("reason", delivery -> StyledText.of(reason(delivery), AnsiStyle.FAINT))
        .right("failed calls", delivery -> StyledText.of(Long.toString(delivery.attempt())))
        .print(writer, deliveries);
    if (more) {
      writer.blank();
      writer.paragraph("There are more; --limit shows them.", AnsiStyle.FAINT);
    }
  }

  /** A delivery after it was queued again. */
  public static void line(TerminalWriter writer, DeliveryInfo delivery) {
    writer.line(
        StyledText.of("delivery %s is ".formatted(delivery.id())),
        state(delivery),
        StyledText.of(" and will be sent again"));
  }

  private static StyledText state(DeliveryInfo delivery) {
    AnsiStyle style =
        switch (delivery.state()) {
          case "sent" -> AnsiStyle.GOOD;
          case "dead" -> AnsiStyle.BAD;
          default -> AnsiStyle.PLAIN;
        };
    return StyledText.of(delivery.state(), style);
  }

  private static String when(DeliveryInfo delivery, Instant now) {
    Instant at = delivery.endedAt() == null ? delivery.dueAt() : delivery.endedAt();
    return at == null ? "" : RelativeTime.of(at, now);
  }

  private static String reason(DeliveryInfo delivery) {
    return delivery.failureReason() == null ? "" : delivery.failureReason();
  }
}
