// SPDX-License-Identifier: Apache-2.0
/** Stores on SQLite and PostgreSQL. */
@NullMarked
package dev.perdure.store.jdbc;

import org.jspecify.annotations.NullMarked;
