// SPDX-License-Identifier: Apache-2.0
/**
 * Spans by OpenTelemetry's SDK, sent by OTLP. Nothing of it is loaded while there is no collector.
 */
@NullMarked
package dev.perdure.server.trace.otlp;

import org.jspecify.annotations.NullMarked;
