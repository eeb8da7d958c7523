// SPDX-License-Identifier: Apache-2.0
/** Settings and where their values come from: file, environment and command line. */
@NullMarked
package dev.perdure.server.config;

import org.jspecify.annotations.NullMarked;
