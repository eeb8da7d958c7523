// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

/**
 * What every attempt is given besides its task.
 *
 * @param payloads reads what goes in and writes what comes out
 * @param tracer says what the attempt passes on
 */
record Means(PayloadCodec payloads, TaskTracer tracer) {}
