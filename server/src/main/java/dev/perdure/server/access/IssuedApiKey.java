// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.store.jdbc.access.ApiKeyStore;

/**
 * A new API key with its secret, which cannot be read again later.
 *
 * @param secret the text that callers send
 */
public record IssuedApiKey(ApiKeyStore.ApiKey key, String secret) {

  @Override
  public String toString() {
    return "key " + key.id();
  }
}
