// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.store.jdbc.access.ApiKeyStore;

/**
 * A key, the one time that it can be seen.
 *
 * @param secret what callers send
 */
public record IssuedApiKey(ApiKeyStore.ApiKey key, String secret) {

  @Override
  public String toString() {
    return "key " + key.id();
  }
}
