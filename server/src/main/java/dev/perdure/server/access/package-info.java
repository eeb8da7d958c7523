// SPDX-License-Identifier: Apache-2.0
/**
 * Credentials and the audit log: API keys, sessions, handles of callbacks, and what operators did.
 */
@NullMarked
package dev.perdure.server.access;

import org.jspecify.annotations.NullMarked;
