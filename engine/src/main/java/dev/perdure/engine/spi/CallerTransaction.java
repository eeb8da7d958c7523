// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

/**
 * Writes that join the caller's own transaction: they take effect when the caller commits, and not
 * at all when it rolls back. It is a separate type because each write of a {@link TaskStore} is a
 * transaction of its own and would stay when the caller rolls back.
 */
public interface CallerTransaction extends TaskWriter {}
