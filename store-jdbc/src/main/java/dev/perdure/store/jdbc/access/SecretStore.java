// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.access;

import java.util.List;

/**
 * Secrets that all nodes share. A purpose can have several: the one with the highest number is in
 * use, and the older ones are still accepted.
 */
public interface SecretStore {

  /** A secret with its number within the purpose. */
  record Secret(int number, String text) {
    @Override
    public String toString() {
      return "secret " + number;
    }
  }

  /** Stores a secret. If the purpose already has a secret with this number, that one is kept. */
  void add(String purpose, Secret secret);

  /** Returns the secrets of a purpose, newest first, at most {@code limit}. */
  List<Secret> list(String purpose, int limit);
}
