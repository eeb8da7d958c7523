// SPDX-License-Identifier: Apache-2.0
/** What an operator can say: file, environment and flags, by one table. */
@NullMarked
package dev.perdure.server.config;

import org.jspecify.annotations.NullMarked;
