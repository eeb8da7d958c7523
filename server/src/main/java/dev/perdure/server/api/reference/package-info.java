// SPDX-License-Identifier: Apache-2.0
/** The description of the HTTP API, for programs and for people. */
@NullMarked
package dev.perdure.server.api.reference;

import org.jspecify.annotations.NullMarked;
