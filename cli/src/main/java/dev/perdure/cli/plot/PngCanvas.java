// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import javax.imageio.ImageIO;

/** Paints PNG, light, two dots for each pixel, without a display. */
final class PngCanvas implements Canvas {

  private static final int DOTS_PER_PIXEL = 2;
  private static final float[] DASHES = {5, 4};

  private final Graphics2D graphics;

  private PngCanvas(Graphics2D graphics) {
    this.graphics = graphics;
  }

  /**
   * The bytes of the file.
   *
   * @throws IOException when this machine cannot draw letters
   */
  static byte[] draw(Plot picture) throws IOException {
    System.setProperty("java.awt.headless", "true");
    Fonts.require();
    return paint(picture);
  }

  private static byte[] paint(Plot picture) throws IOException {
    BufferedImage image =
        new BufferedImage(
            picture.width() * DOTS_PER_PIXEL,
            picture.height() * DOTS_PER_PIXEL,
            BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.scale(DOTS_PER_PIXEL, DOTS_PER_PIXEL);
      graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      graphics.setRenderingHint(
          RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      graphics.setRenderingHint(
          RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
      picture.draw(new PngCanvas(graphics));
    } finally {
      graphics.dispose();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (!ImageIO.write(image, "png", bytes)) {
      throw new IOException("this Java cannot write PNG: write FILE.svg instead");
    }
    return bytes.toByteArray();
  }

  @Override
  public void rectangle(Box box, PlotColor plotColor) {
    graphics.setColor(new Color(plotColor.light));
    graphics.fill(new Rectangle2D.Double(box.left(), box.top(), box.width(), box.height()));
  }

  @Override
  public void line(List<Point> points, PlotColor plotColor) {
    graphics.setColor(new Color(plotColor.light));
    float width = (float) plotColor.lineWidth();
    graphics.setStroke(
        plotColor.dashed()
            ? new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, DASHES, 0)
            : new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND));
    graphics.draw(path(points));
  }

  @Override
  public void area(List<Point> corners, PlotColor plotColor) {
    graphics.setColor(new Color(plotColor.light));
    Path2D path = path(corners);
    path.closePath();
    graphics.fill(path);
  }

  @Override
  public void text(Point at, String text, FontStyle fontStyle, PlotColor plotColor) {
    graphics.setColor(new Color(plotColor.light));
    graphics.setFont(Fonts.of(fontStyle));
    double width = graphics.getFontMetrics().getStringBounds(text, graphics).getWidth();
    double left = at.x() - width * fontStyle.anchor.share;
    graphics.drawString(text, (float) left, (float) at.y());
  }

  private static Path2D path(List<Point> points) {
    Path2D path = new Path2D.Double();
    path.moveTo(points.getFirst().x(), points.getFirst().y());
    points.subList(1, points.size()).forEach(point -> path.lineTo(point.x(), point.y()));
    return path;
  }
}
