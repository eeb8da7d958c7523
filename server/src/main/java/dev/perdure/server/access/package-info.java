// SPDX-License-Identifier: Apache-2.0
/** Who may come in, and who did what: keys, the audit, and the secrets of the server itself. */
@NullMarked
package dev.perdure.server.access;

import org.jspecify.annotations.NullMarked;
