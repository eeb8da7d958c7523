// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

/** What an event is about, in one number: the place of a request, and what happens to it. */
final class EventCode {

  private EventCode() {}

  static int timeout(int place) {
    return place << 1 | 1;
  }

  static int retry(int place) {
    return place << 1;
  }

  static boolean isTimeout(int subject) {
    return (subject & 1) == 1;
  }

  static int slot(int subject) {
    return subject >>> 1;
  }
}
