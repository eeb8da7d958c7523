// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NewTaskTest {

  @Test
  void metadata_keeps_its_order_and_its_nulls_and_is_a_copy() {
    Map<String, Object> given = new LinkedHashMap<>();
    for (int i = 30; i > 0; i--) {
      given.put("key " + i, i % 2 == 0 ? null : i);
    }
    NewTask task = NewTask.of("mail", "payload").metadata(given);
    String before = given.toString();
    given.clear();

    assertThat(task.metadata).hasToString(before);
  }
}
