// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http.jetty;

import dev.perdure.server.http.Body;
import dev.perdure.server.http.HttpLimits;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/**
 * Reads a body up to a limit; what is announced to be larger is not read at all. Nor is what would
 * be too much together with the bodies of others.
 */
final class WholeBody implements Body, AutoCloseable {

  private static final int BUFFER = 8 * 1024;
  private static final long PATIENCE_MS = 1_000;

  private final Request request;
  private final HttpLimits limits;
  private final Semaphore freeBytes;
  private final Runnable arrived;
  private int held;

  /**
   * @param freeBytes how much of the bodies of all requests may still be read
   */
  WholeBody(Request request, HttpLimits limits, Semaphore freeBytes, Runnable arrived) {
    this.request = request;
    this.limits = limits;
    this.freeBytes = freeBytes;
    this.arrived = arrived;
  }

  @Override
  public byte[] read() {
    long announced = request.getLength();
    if (announced > limits.bodyBytes()) {
      throw tooLarge();
    }
    hold(announced < 0 ? limits.bodyBytes() : (int) announced);
    byte[] bytes = bytes();
    release(held - bytes.length);
    arrived.run();
    return bytes;
  }

  private void hold(int bytes) {
    try {
      if (freeBytes.tryAcquire(bytes, PATIENCE_MS, TimeUnit.MILLISECONDS)) {
        held += bytes;
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw RefusedException.unavailable(
        "bodies of %d bytes are under way, as many as there is memory for"
            .formatted(limits.allBodyBytes()));
  }

  private void release(int bytes) {
    held -= bytes;
    freeBytes.release(bytes);
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
        if (bytes.size() > limits.bodyBytes()) {
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
        Status.TOO_LARGE,
        "the body is larger than the %d bytes allowed".formatted(limits.bodyBytes()));
  }

  /** Nobody needs it any more. */
  @Override
  public void close() {
    release(held);
  }
}
