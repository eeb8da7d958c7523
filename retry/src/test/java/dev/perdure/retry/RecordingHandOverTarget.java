// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.HandOverRequest;
import dev.perdure.policy.HandOverTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A hand-over target that records its requests, or fails. */
public final class RecordingHandOverTarget implements HandOverTarget {

  public static final UUID TASK = UUID.fromString("019a8f00-0000-7000-8000-000000000001");

  private final List<HandOverRequest> received = new ArrayList<>();
  private boolean failing;

  public RecordingHandOverTarget() {}

  @Override
  public UUID acceptHandOver(HandOverRequest request) {
    if (failing) {
      throw new IllegalStateException("no database");
    }
    received.add(request);
    return TASK;
  }

  void failFromNow() {
    failing = true;
  }

  public List<HandOverRequest> received() {
    return received;
  }

  public HandOverRequest only() {
    if (received.size() != 1) {
      throw new AssertionError("received " + received.size() + " requests");
    }
    return received.getFirst();
  }
}
