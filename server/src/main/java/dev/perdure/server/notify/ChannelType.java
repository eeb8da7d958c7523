// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The services that a channel can send to. */
public enum ChannelType {
  TELEGRAM,
  /** Slack, and services with the same incoming webhooks, such as Mattermost. */
  SLACK,
  /** Any HTTP service. */
  WEBHOOK;

  static final List<String> NAMES = Stream.of(values()).map(ChannelType::text).toList();

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  static ChannelType of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
