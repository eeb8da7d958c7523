// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What became of a test message.
 *
 * @param sent true when the channel accepted the message
 * @param failureStatus the HTTP status with which the channel refused it; null when there is none
 * @param failureReason why it was not sent; null when it was
 */
public record ChannelTestResult(
    ChannelInfo channel,
    boolean sent,
    @Nullable Long failureStatus,
    @Nullable String failureReason) {

  /** Reads the server's JSON. */
  public static ChannelTestResult of(JsonNode json) {
    JsonFields result = new JsonFields(json);
    return new ChannelTestResult(
        ChannelInfo.of(json),
        result.flag("sent"),
        result.number("failure_status"),
        result.text("failure_reason"));
  }
}
