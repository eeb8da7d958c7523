// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

/** What an attempt may know about a call that can be handed over. */
public interface DurableContext extends RetryContext {

  /**
   * The same on every attempt of the call, also on those of the task that it may become: what the
   * callee knows repetitions by.
   */
  String idempotencyKey();
}
