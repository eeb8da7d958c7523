// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.client.ChannelInfo;
import dev.perdure.client.ChannelTestResult;
import java.util.List;

/** Prints the channels for notifications for people. */
public final class ChannelText {

  private ChannelText() {}

  public static void list(TerminalWriter writer, List<ChannelInfo> channels) {
    if (channels.isEmpty()) {
      writer.paragraph("No channels. The server takes them from the setting channels.");
      return;
    }
    new FittedTable<ChannelInfo>()
        .left("name", channel -> StyledText.of(channel.name()))
        .left("type", channel -> StyledText.of(channel.type()))
        .print(writer, channels);
  }

  public static void tested(TerminalWriter writer, ChannelTestResult result) {
    String name = result.channel().name();
    writer.paragraph(
        result.sent()
            ? "The channel %s accepted the test message.".formatted(name)
            : "The test message for %s was not sent: %s".formatted(name, result.failureReason()));
  }
}
