// SPDX-License-Identifier: Apache-2.0
/** The task store on PostgreSQL. */
@NullMarked
package dev.perdure.store.jdbc.postgres;

import org.jspecify.annotations.NullMarked;
