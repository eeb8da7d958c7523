// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.PolicyLimits;
import dev.perdure.policy.json.ServerPolicyLimits;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;

/**
 * What clients may ask for.
 *
 * @param policyLimits what their policies may say
 * @param maxTasks the most tasks in one request
 * @param defaultPageSize tasks on a page when nobody says how many
 * @param maxPageSize the most tasks on a page
 */
record ApiLimits(
    ServerPolicyLimits policyLimits, int maxTasks, int defaultPageSize, int maxPageSize) {

  static ApiLimits of(Configuration configuration) {
    int mostPage = configuration.get(Settings.PAGINATION_MAX);
    return new ApiLimits(
        new ServerPolicyLimits(
            new PolicyLimits(
                configuration.get(Settings.RETRY_MAX_RETRIES_LIMIT),
                configuration.get(Settings.RETRY_MAX_DELAY_LIMIT)),
            new PolicyLimits(
                PolicyLimits.DEFAULT.maxRetries(),
                configuration.get(Settings.RETRY_MAX_SCHEDULE_DELAY_LIMIT))),
        configuration.get(Settings.MAX_TASKS_PER_REQUEST),
        Math.min(configuration.get(Settings.PAGINATION_DEFAULT), mostPage),
        mostPage);
  }
}
