// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
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
  static byte[] draw(Picture picture) throws IOException {
    System.setProperty("java.awt.headless", "true");
    try {
      return paint(picture);
    } catch (LinkageError | InternalError e) {
      throw noFonts(e);
    } catch (Error e) {
      // Java2D tells of a machine without any font by a bare Error.
      if (e.getClass() == Error.class) {
        throw noFonts(e);
      }
      throw e;
    } catch (NullPointerException e) {
      throw noFonts(e);
    }
  }

  private static IOException noFonts(Throwable cause) {
    return new IOException(
        "this machine has no fonts to draw a PNG with: write FILE.svg instead, or install"
            + " fontconfig and a font such as DejaVu",
        cause);
  }

  private static byte[] paint(Picture picture) throws IOException {
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
  public void rectangle(Box box, Ink ink) {
    graphics.setColor(new Color(ink.light));
    graphics.fill(new Rectangle2D.Double(box.left(), box.top(), box.width(), box.height()));
  }

  @Override
  public void line(List<Point> points, Ink ink) {
    graphics.setColor(new Color(ink.light));
    float width = (float) ink.lineWidth();
    graphics.setStroke(
        ink.dashed()
            ? new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, DASHES, 0)
            : new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND));
    graphics.draw(path(points));
  }

  @Override
  public void area(List<Point> corners, Ink ink) {
    graphics.setColor(new Color(ink.light));
    Path2D path = path(corners);
    path.closePath();
    graphics.fill(path);
  }

  @Override
  public void text(Point at, String text, Lettering lettering, Ink ink) {
    graphics.setColor(new Color(ink.light));
    int style = lettering.bold ? Font.BOLD : Font.PLAIN;
    graphics.setFont(new Font(Font.SANS_SERIF, style, lettering.size));
    double width = graphics.getFontMetrics().getStringBounds(text, graphics).getWidth();
    double left = at.x() - width * lettering.anchor.share;
    graphics.drawString(text, (float) left, (float) at.y());
  }

  private static Path2D path(List<Point> points) {
    Path2D path = new Path2D.Double();
    path.moveTo(points.getFirst().x(), points.getFirst().y());
    points.subList(1, points.size()).forEach(point -> path.lineTo(point.x(), point.y()));
    return path;
  }
}
