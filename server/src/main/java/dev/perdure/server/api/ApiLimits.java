// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.PolicyLimits;
import dev.perdure.policy.json.ServerPolicyLimits;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;

/**
 * Limits of the HTTP API.
 *
 * @param policyLimits limits of submitted retry policies
 * @param maxTasks tasks in one submission, at most
 * @param defaultPageSize entries on a page when the request has no {@code page_size}
 * @param maxPageSize entries on a page, at most
 */
record ApiLimits(
    ServerPolicyLimits policyLimits,
    int maxTasks,
    int defaultPageSize,
    int maxPageSize,
    boolean deadEndCancel) {

  static ApiLimits of(Configuration configuration) {
    int maxPageSize = configuration.get(Settings.PAGINATION_MAX);
    return new ApiLimits(
        new ServerPolicyLimits(
            new PolicyLimits(
                configuration.get(Settings.RETRY_MAX_RETRIES_LIMIT),
                configuration.get(Settings.RETRY_MAX_DELAY_LIMIT)),
            new PolicyLimits(
                PolicyLimits.DEFAULT.maxRetries(),
                configuration.get(Settings.RETRY_MAX_SCHEDULE_DELAY_LIMIT))),
        configuration.get(Settings.MAX_TASKS_PER_REQUEST),
        Math.min(configuration.get(Settings.PAGINATION_DEFAULT), maxPageSize),
        maxPageSize,
        configuration.get(Settings.DEAD_END_CANCEL_ENABLED));
  }
}
