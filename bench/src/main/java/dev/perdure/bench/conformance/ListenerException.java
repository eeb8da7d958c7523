// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

/** Thrown by a listener that has a bug. */
final class ListenerException extends RuntimeException {
  ListenerException() {
    super("a bug in the listener");
  }
}
