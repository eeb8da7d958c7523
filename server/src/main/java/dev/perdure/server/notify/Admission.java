// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import java.time.Duration;

/** What happens to a message that is due. */
sealed interface Admission {

  /** It is sent now. */
  record Send() implements Admission {}

  /** A summary is sent now in its place. */
  record SendSummary(ChannelRateLimit.PendingSummary summary) implements Admission {}

  /** It is not sent; a later summary counts it. */
  record LeaveOut() implements Admission {}

  /** It asks again after the delay. */
  record Wait(Duration delay) implements Admission {}
}
