// SPDX-License-Identifier: Apache-2.0
/** Encryption of secrets in the database. */
@NullMarked
package dev.perdure.server.webhook.encryption;

import org.jspecify.annotations.NullMarked;
