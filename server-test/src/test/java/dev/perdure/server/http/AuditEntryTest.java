// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class AuditEntryTest {

  @Test
  void an_unknown_outcome_is_added_to_the_detail() {
    AuditEntry entry =
        new AuditEntry("retry", "0198", JsonNodeFactory.instance.objectNode().put("at", "now"));

    assertThat(entry.withUnknownOutcome().detail())
        .hasToString("{\"at\":\"now\",\"outcome_unknown\":true}");
    assertThat(entry.detail()).hasToString("{\"at\":\"now\"}");
  }

  @Test
  void an_unknown_outcome_is_the_whole_detail_when_there_was_none() {
    assertThat(AuditEntry.of("cancel", "0198").withUnknownOutcome().detail())
        .hasToString("{\"outcome_unknown\":true}");
  }
}
