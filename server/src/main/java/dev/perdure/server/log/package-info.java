// SPDX-License-Identifier: Apache-2.0
/** The log: Logback, configured in code, with secrets redacted from every line. */
@NullMarked
package dev.perdure.server.log;

import org.jspecify.annotations.NullMarked;
