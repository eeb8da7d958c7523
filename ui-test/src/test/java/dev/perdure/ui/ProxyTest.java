// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.options.ColorScheme;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.UnusedPort;
import dev.perdure.server.config.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard below a path of another server, which passes requests on without that path. */
@Tag("slow")
class ProxyTest {

  @TempDir private Path folder;

  @Test
  void works_below_a_path() throws IOException {
    int port = UnusedPort.next();
    String origin = "http://127.0.0.1:" + port;
    try (Dashboard dashboard =
            Dashboard.open(
                TestDatabase.SQLITE, folder, Map.of(Settings.HOST_URL, origin + "/team/jobs/"));
        ReverseProxy proxy = ReverseProxy.start(port, "/team/jobs", dashboard.origin())) {
      String id = dashboard.submit("{\"kind\": \"mail\", \"name\": \"one\"}");
      String admin = dashboard.createKey("ops", "admin", "");
      BrowserContext context = dashboard.newContext(Viewport.DESK, ColorScheme.LIGHT);
      Tab tab = new Tab(context.newPage(), origin);
      tab.page().navigate(origin + "/team/jobs/");
      tab.page().getByLabel("API key").fill(admin);
      tab.button("Log in").click();
      Screen.showsOverview(tab).isLive();

      Assertions.assertThat(context.cookies())
          .singleElement()
          .matches(cookie -> cookie.path.equals("/team/jobs/"));
      tab.link("Tasks").click();
      tab.link("one").click();
      tab.showsHeading("mail · one");
      assertThat(tab.page()).hasURL(origin + "/team/jobs/ui/tasks/" + id);
      tab.page().reload();
      tab.showsHeading("mail · one").isLive();
      Assertions.assertThat(proxy.refused()).as("requests outside of the path").isEmpty();
      Assertions.assertThat(tab.problems()).isEmpty();
    }
  }
}
