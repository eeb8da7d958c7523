// SPDX-License-Identifier: Apache-2.0
/** Task stores on PostgreSQL and SQLite. */
@NullMarked
package dev.perdure.store.jdbc;

import org.jspecify.annotations.NullMarked;
