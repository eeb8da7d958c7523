// SPDX-License-Identifier: Apache-2.0
/** What both dialects share: named statements, their parameters, rows. */
@NullMarked
package dev.perdure.store.jdbc.sql;

import org.jspecify.annotations.NullMarked;
