// SPDX-License-Identifier: Apache-2.0
/** Tasks in one SQLite file. */
@NullMarked
package dev.perdure.store.jdbc.sqlite;

import org.jspecify.annotations.NullMarked;
