// SPDX-License-Identifier: Apache-2.0
/** Reads tasks and deliveries: filters, sort orders, pages and statistics. */
@NullMarked
package dev.perdure.engine.query;

import org.jspecify.annotations.NullMarked;
