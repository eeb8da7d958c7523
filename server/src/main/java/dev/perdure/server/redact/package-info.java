// SPDX-License-Identifier: Apache-2.0
/** Hides secrets in text that people will see. Imports nothing else of the server. */
@NullMarked
package dev.perdure.server.redact;

import org.jspecify.annotations.NullMarked;
