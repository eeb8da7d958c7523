// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

/** The context of an attempt of a call that can be handed over. */
public interface DurableContext extends RetryContext {

  /**
   * Returns the idempotency key, which is the same on every attempt of the call, including those of
   * the task that it may become. The called service uses it to recognize repeated requests.
   */
  String idempotencyKey();
}
