// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ViewportSize;
import java.nio.file.Path;
import java.util.List;

/** Checks pages against the accessibility rules of WCAG 2.0 to 2.2, levels A and AA. */
final class Axe {

  /** Installed for the build of the dashboard. */
  private static final Path SCRIPT = Path.of("../ui/node_modules/axe-core/axe.min.js");

  private static final String RUN =
      """
      async () => {
        const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
        const { violations } = await axe.run(document, { runOnly: { type: 'tag', values: tags } });
        return violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) =>
            id + ': ' + html + ' ' + failureSummary));
      }""";

  private Axe() {}

  /** Must be called before the tab is opened: the page itself lets no other script in. */
  static void install(BrowserContext context) {
    context.addInitScript(SCRIPT);
  }

  /** Checks the whole page at once: what a bar covers until one scrolls is no finding. */
  @SuppressWarnings("unchecked")
  static void check(Page page) {
    ViewportSize window = page.viewportSize();
    int height = ((Number) page.evaluate("document.documentElement.scrollHeight")).intValue();
    page.setViewportSize(window.width, Math.max(window.height, height));
    assertThat((List<String>) page.evaluate(RUN)).as("serious findings of axe").isEmpty();
    page.setViewportSize(window.width, window.height);
  }
}
