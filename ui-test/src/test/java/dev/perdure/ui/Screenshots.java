// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.Locale;

/** Writes pictures of pages into the folder {@code -Dperdure.screenshots}, if it is set. */
final class Screenshots {

  private Screenshots() {}

  static void write(Page page, String name, Viewport viewport, ColorScheme theme) {
    String folder = System.getProperty("perdure.screenshots", "");
    if (!folder.isEmpty()) {
      String file = "%s-%s-%s.png".formatted(name, theme, viewport).toLowerCase(Locale.ROOT);
      page.screenshot(new Page.ScreenshotOptions().setPath(Path.of(folder, file)));
    }
  }
}
