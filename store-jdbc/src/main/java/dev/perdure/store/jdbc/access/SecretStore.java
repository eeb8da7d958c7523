// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.access;

import java.util.List;

/**
 * Secrets that all nodes share. A purpose may have several: the one with the highest number is in
 * use, the others are still known.
 */
public interface SecretStore {

  /** One of them. */
  record Secret(int number, String text) {
    @Override
    public String toString() {
      return "secret " + number;
    }
  }

  /** Writes it, unless the purpose has one of this number; then that one stays. */
  void add(String purpose, Secret secret);

  /** The newest, at most this many, newest first. */
  List<Secret> list(String purpose, int limit);
}
