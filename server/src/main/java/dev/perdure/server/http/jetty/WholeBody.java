// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http.jetty;

import dev.perdure.server.http.Body;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/** Reads a body up to a limit; what is announced to be larger is not read at all. */
final class WholeBody implements Body {

  private static final int BUFFER = 8 * 1024;

  private final Request request;
  private final int limit;
  private final Runnable arrived;

  WholeBody(Request request, int limit, Runnable arrived) {
    this.request = request;
    this.limit = limit;
    this.arrived = arrived;
  }

  @Override
  public byte[] read() {
    if (request.getLength() > limit) {
      throw tooLarge();
    }
    byte[] bytes = bytes();
    arrived.run();
    return bytes;
  }

  private byte[] bytes() {
    // Not closed: that would read the rest, of which there may be any amount.
    @SuppressWarnings("resource")
    InputStream in = Content.Source.asInputStream(request);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] buffer = new byte[BUFFER];
    try {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        bytes.write(buffer, 0, read);
        if (bytes.size() > limit) {
          throw tooLarge();
        }
      }
    } catch (IOException e) {
      throw RefusedException.badRequest("the body broke off");
    }
    return bytes.toByteArray();
  }

  private RefusedException tooLarge() {
    return RefusedException.of(
        Status.TOO_LARGE, "the body is larger than the %,d bytes allowed".formatted(limit));
  }
}
