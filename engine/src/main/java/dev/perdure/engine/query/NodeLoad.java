// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.util.List;

/**
 * What a node reports about itself every few seconds.
 *
 * @param version the version of the program; empty when unknown
 * @param slots how many attempts it runs at once
 * @param busy how many it runs now
 * @param remoteKinds kinds and queues that remote workers asked it for within the last minute
 */
public record NodeLoad(String version, int slots, int busy, List<String> remoteKinds) {
  public NodeLoad {
    remoteKinds = List.copyOf(remoteKinds);
  }
}
