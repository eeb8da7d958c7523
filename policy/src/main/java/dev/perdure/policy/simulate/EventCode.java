// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

/**
 * Encodes an event in one number: the slot of a request, and whether it times out or is retried.
 */
final class EventCode {

  private EventCode() {}

  static int timeout(int slot) {
    return slot << 1 | 1;
  }

  static int retry(int slot) {
    return slot << 1;
  }

  static boolean isTimeout(int code) {
    return (code & 1) == 1;
  }

  static int slot(int code) {
    return code >>> 1;
  }
}
