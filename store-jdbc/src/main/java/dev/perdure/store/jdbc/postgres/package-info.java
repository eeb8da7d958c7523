// SPDX-License-Identifier: Apache-2.0
/** The store on PostgreSQL. */
@NullMarked
package dev.perdure.store.jdbc.postgres;

import org.jspecify.annotations.NullMarked;
