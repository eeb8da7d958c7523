// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

/**
 * Writes that join a transaction of the caller's: they are true when he commits, and never were
 * when he rolls back. A type of its own, which no {@link TaskStore} is: there each write is a
 * transaction by itself, and would be true although the caller's was rolled back.
 */
public interface CallersTransaction extends TaskWriter {}
