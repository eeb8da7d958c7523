// SPDX-License-Identifier: Apache-2.0
/** Encryption of what is kept in the database and is nobody's business there. */
@NullMarked
package dev.perdure.server.webhook.encryption;

import org.jspecify.annotations.NullMarked;
