// SPDX-License-Identifier: Apache-2.0
/** The task store on SQLite. */
@NullMarked
package dev.perdure.store.jdbc.sqlite;

import org.jspecify.annotations.NullMarked;
