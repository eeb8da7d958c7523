// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.explain.Linter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The warnings about a policy, in the words of the form that it is written in.
 *
 * @param canonical the policy in the canonical form, if a fix needs a field that only this form
 *     has; null otherwise
 */
public record LintReport(List<Linter.Warning> warnings, @Nullable JsonNode canonical) {

  public LintReport {
    warnings = List.copyOf(warnings);
  }
}
