// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Puts names that users chose into paths. */
final class PathArgument {

  private PathArgument() {}

  /**
   * The path with this name at its end.
   *
   * @param label the argument that the name comes from, for the error
   */
  static String append(String path, String label, String name) {
    if (name.isEmpty()) {
      throw new UsageException(label, "must not be empty");
    }
    return path + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
