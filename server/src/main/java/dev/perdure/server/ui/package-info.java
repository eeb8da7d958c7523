// SPDX-License-Identifier: Apache-2.0
/** Serves the dashboard, a single-page application whose files are on the class path. */
@NullMarked
package dev.perdure.server.ui;

import org.jspecify.annotations.NullMarked;
