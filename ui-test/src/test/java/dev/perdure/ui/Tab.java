// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A tab of the browser that remembers everything that must not happen: warnings and errors in the
 * console, uncaught exceptions, violations of the content security policy, and requests to another
 * origin.
 */
final class Tab {

  /** No test depends on how fast the machine is. */
  private static final double PATIENCE_MS = 60_000;

  static {
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MS);
  }

  private static final Set<String> LOUD = Set.of("warning", "error");

  /** The browser reports violations to the page only. */
  private static final String REPORT_VIOLATIONS =
      "document.addEventListener('securitypolicyviolation', event =>"
          + " console.error('CSP violation: ' + event.violatedDirective + ' ' + event.blockedURI));";

  private final Page page;
  private final String origin;
  private final List<String> problems = new ArrayList<>();
  private final List<Pattern> expected = new ArrayList<>();

  Tab(Page page, String origin) {
    this.page = page;
    this.origin = origin;
    page.setDefaultTimeout(PATIENCE_MS);
    page.addInitScript(REPORT_VIOLATIONS);
    page.onConsoleMessage(this::onConsole);
    page.onPageError(error -> problems.add("exception: " + error));
    page.onRequest(this::onRequest);
  }

  private void onConsole(ConsoleMessage message) {
    if (LOUD.contains(message.type())) {
      problems.add(message.type() + ": " + message.text() + " at " + message.location());
    }
  }

  private void onRequest(Request request) {
    if (!request.url().startsWith(origin + "/") && !request.url().startsWith("data:image/")) {
      problems.add("request to another origin: " + request.url());
    }
  }

  /** Messages that match are not problems in this test, such as those about refused requests. */
  Tab expect(String pattern) {
    expected.add(Pattern.compile(pattern));
    return this;
  }

  List<String> problems() {
    return problems.stream()
        .filter(problem -> expected.stream().noneMatch(pattern -> pattern.matcher(problem).find()))
        .toList();
  }

  /** Opens a path below {@code /ui}. */
  Tab open(String path) {
    page.navigate(origin + "/ui" + path);
    return this;
  }

  Page page() {
    return page;
  }

  /** Waits until this heading of the first level is shown. */
  Tab showsHeading(String name) {
    assertThat(heading(name)).isVisible();
    return this;
  }

  private Locator heading(String name) {
    return page.getByRole(
        AriaRole.HEADING, new Page.GetByRoleOptions().setName(name).setExact(true).setLevel(1));
  }

  Locator link(String name) {
    return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  Locator button(String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  Locator text(String text) {
    return page.getByText(text, new Page.GetByTextOptions().setExact(true));
  }

  /** Waits until the server's events arrive. */
  Tab isLive() {
    assertThat(button("Live")).isVisible();
    return this;
  }
}
