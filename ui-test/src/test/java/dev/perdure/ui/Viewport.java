// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

/** The sizes that every screen must fit. */
enum Viewport {
  PHONE(390, 844),
  DESK(1440, 900);

  private final int width;
  private final int height;

  Viewport(int width, int height) {
    this.width = width;
    this.height = height;
  }

  int width() {
    return width;
  }

  int height() {
    return height;
  }
}
