// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

/** What a listener throws that should not have. */
final class ListenerException extends RuntimeException {
  ListenerException() {
    super("a bug in the listener");
  }
}
