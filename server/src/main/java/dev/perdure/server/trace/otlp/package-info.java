// SPDX-License-Identifier: Apache-2.0
/** Spans of the OpenTelemetry SDK, sent by OTLP. No class of it is loaded without a collector. */
@NullMarked
package dev.perdure.server.trace.otlp;

import org.jspecify.annotations.NullMarked;
