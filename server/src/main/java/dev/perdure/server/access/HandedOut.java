// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.store.jdbc.access.KeyBook;

/**
 * A key, the one time that it can be seen.
 *
 * @param text what callers send
 */
public record HandedOut(KeyBook.Key key, String text) {

  @Override
  public String toString() {
    return "key " + key.id();
  }
}
