// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.Map;
import java.util.UUID;

/** Which webhook deliveries to list: immutable, each method returns a changed copy. */
public final class DeliverySearch {

  private final Map<String, String> parameters;

  private DeliverySearch(Map<String, String> parameters) {
    this.parameters = parameters;
  }

  /** All deliveries, newest first. */
  public static DeliverySearch all() {
    return new DeliverySearch(Map.of());
  }

  private DeliverySearch with(String name, Object value) {
    return new DeliverySearch(SearchParameters.with(parameters, name, value));
  }

  /** Deliveries in this state: {@code pending}, {@code sent} or {@code dead}. */
  public DeliverySearch state(String state) {
    return with("state", state);
  }

  public DeliverySearch task(UUID task) {
    return with("task", task);
  }

  /** Deliveries of this trigger, such as {@code on_failure}. */
  public DeliverySearch trigger(String trigger) {
    return with("trigger", trigger);
  }

  public DeliverySearch pageSize(int size) {
    return with("page_size", size);
  }

  /** Continues after an earlier page. */
  public DeliverySearch after(String cursor) {
    return with("after", cursor);
  }

  Map<String, String> parameters() {
    return parameters;
  }
}
