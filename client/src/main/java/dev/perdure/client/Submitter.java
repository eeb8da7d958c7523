// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Sends a submission, and once more when its response is lost or the server is busy. */
record Submitter(HttpTransport transport) {

  private static final Duration RESEND_DELAY = Duration.ofSeconds(1);

  ApiResponse submit(String idempotencyKey, String body) {
    boolean maybeAccepted;
    try {
      return post(idempotencyKey, body);
    } catch (TransportException e) {
      if (!e.isResponseLost()) {
        throw e;
      }
      maybeAccepted = true;
    } catch (ApiException e) {
      if (e.status() != ApiException.UNAVAILABLE) {
        throw e;
      }
      maybeAccepted = e.outcomeUnknown();
    }
    sleepBeforeResend();
    // The first send may have been accepted, even if the second never arrives.
    try {
      return post(idempotencyKey, body);
    } catch (TransportException e) {
      throw maybeAccepted ? e.withUnknownOutcome() : e;
    } catch (ApiException e) {
      throw maybeAccepted && e.isTemporary() ? e.withUnknownOutcome() : e;
    }
  }

  private ApiResponse post(String idempotencyKey, String body) {
    return transport.exchange("POST", "/task", body, idempotencyKey, Duration.ZERO);
  }

  private static void sleepBeforeResend() {
    try {
      boolean unused = new CountDownLatch(1).await(RESEND_DELAY.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransportException(
          TransportException.Reason.INTERRUPTED, "interrupted before sending again", e);
    }
  }
}
