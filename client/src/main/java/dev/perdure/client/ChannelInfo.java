// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import tools.jackson.databind.JsonNode;

/**
 * A channel for notifications.
 *
 * @param type {@code telegram}, {@code slack} or {@code webhook}
 */
public record ChannelInfo(String name, String type) {

  /** Reads the server's JSON. */
  public static ChannelInfo of(JsonNode json) {
    return new ChannelInfo(
        JsonFields.requiredText(json, "name"), JsonFields.requiredText(json, "type"));
  }
}
