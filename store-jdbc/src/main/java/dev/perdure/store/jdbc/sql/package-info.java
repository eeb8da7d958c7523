// SPDX-License-Identifier: Apache-2.0
/** Code shared by both dialects: named statements, their parameters, row mappers and migrations. */
@NullMarked
package dev.perdure.store.jdbc.sql;

import org.jspecify.annotations.NullMarked;
