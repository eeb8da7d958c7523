// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Right;
import dev.perdure.server.http.Caller;
import dev.perdure.server.http.Headers;
import dev.perdure.server.http.Query;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Role;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RightsTest {

  private static Request by(Role role) {
    Request anyones =
        Request.of(
            "PATCH", "/task/x", Query.parse(null), Headers.from(each -> {}), () -> new byte[0]);
    return new Request(
        anyones.method(),
        anyones.path(),
        anyones.variables(),
        anyones.query(),
        anyones.headers(),
        anyones.body(),
        () -> new Caller("bob", null, Set.of(role)),
        anyones.ledger(),
        anyones.place());
  }

  @Test
  void a_worker_speaks_for_the_lease_it_names() {
    assertThat(Rights.of(by(Role.WORK), 7L)).isEqualTo(Right.ofLease(7));
    assertThat(Rights.of(by(Role.ADMIN), 7L)).isEqualTo(Right.ofLease(7));
  }

  @Test
  void without_an_epoch_only_an_admin_speaks() {
    assertThat(Rights.of(by(Role.ADMIN), null)).isEqualTo(Right.ofOperator());
    assertThatThrownBy(() -> Rights.of(by(Role.WORK), null))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("needs the role admin, which bob does not have")
        .extracting(refused -> ((RefusedException) refused).status())
        .isEqualTo(403);
  }
}
