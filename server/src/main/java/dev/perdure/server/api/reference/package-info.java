// SPDX-License-Identifier: Apache-2.0
/** The reference of the HTTP API: an OpenAPI document and an HTML page. */
@NullMarked
package dev.perdure.server.api.reference;

import org.jspecify.annotations.NullMarked;
