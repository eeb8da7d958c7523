// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.List;
import java.util.Map;

/** Lists and tests notification channels; see {@link PerdureClient#channels}. Thread-safe. */
public final class ChannelClient {

  private final PerdureClient client;

  ChannelClient(PerdureClient client) {
    this.client = client;
  }

  /** All channels, in the order of the server's configuration. */
  public List<ChannelInfo> list() {
    return client.get("/channel", Map.of()).page(ChannelInfo::of).items();
  }

  /**
   * Sends a test message and waits for the answer of the channel.
   *
   * @throws ApiException when there is no such channel, or when it has got too many messages
   */
  public ChannelTestResult test(String name) {
    return client
        .send("POST", "/channel/" + PerdureClient.encode(name) + "/test", null)
        .read(ChannelTestResult::of);
  }
}
