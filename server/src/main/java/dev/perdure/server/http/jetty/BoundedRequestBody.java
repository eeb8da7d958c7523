// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http.jetty;

import dev.perdure.server.http.HttpLimits;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.RequestBody;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/**
 * Reads a body up to a limit; what is announced to be larger is not read at all. Nor is what would
 * be too much together with the bodies of others.
 *
 * <p>Memory for a body whose length is announced is held before it is read: of many large ones,
 * those that are begun can end. One that comes in chunks of any number holds what has come, so that
 * a slow one keeps nobody waiting. Many of them may then hold all there is and each wait for more;
 * the first to lose patience gives what it held to the others.
 */
final class BoundedRequestBody implements RequestBody, AutoCloseable {

  private static final int BUFFER = 8 * 1024;
  private static final long FIRST_WAIT_MS = 1_000;

  private final Request request;
  private final HttpLimits limits;
  private final Semaphore bodyBytePermits;
  private final Runnable onArrived;
  private int reserved;
  private long waitMs = FIRST_WAIT_MS;

  /**
   * @param freeBytes how much of the bodies of all requests may still be read
   */
  BoundedRequestBody(Request request, HttpLimits limits, Semaphore freeBytes, Runnable arrived) {
    this.request = request;
    this.limits = limits;
    this.bodyBytePermits = freeBytes;
    this.onArrived = arrived;
  }

  @Override
  public byte[] read() {
    long announced = request.getLength();
    if (announced > limits.maxBodyBytes()) {
      throw tooLarge();
    }
    byte[] bytes = announced < 0 ? readChunked() : readFixedLength((int) announced);
    onArrived.run();
    return bytes;
  }

  private byte[] readFixedLength(int length) {
    reserve(length);
    byte[] bytes = readAll(read -> {});
    release(reserved - bytes.length);
    return bytes;
  }

  private byte[] readChunked() {
    return readAll(this::reserve);
  }

  private void reserve(int bytes) {
    if (!bodyBytePermits.tryAcquire(bytes) && !awaitBytes(bytes)) {
      throw HttpProblemException.unavailable(
          "there is no memory for this body beside those under way, of %d bytes in all"
              .formatted(limits.maxTotalBodyBytes()));
    }
    reserved += bytes;
  }

  /** Half as long each time: however many chunks have to wait, together it is two seconds. */
  private boolean awaitBytes(int bytes) {
    long patience = waitMs;
    waitMs /= 2;
    try {
      return bodyBytePermits.tryAcquire(bytes, patience, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void release(int bytes) {
    reserved -= bytes;
    bodyBytePermits.release(bytes);
  }

  private byte[] readAll(IntConsumer onRead) {
    // Not closed: that would read the rest, of which there may be any amount.
    @SuppressWarnings("resource")
    InputStream in = Content.Source.asInputStream(request);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] buffer = new byte[BUFFER];
    try {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (bytes.size() + read > limits.maxBodyBytes()) {
          throw tooLarge();
        }
        onRead.accept(read);
        bytes.write(buffer, 0, read);
      }
    } catch (IOException e) {
      throw HttpProblemException.badRequest("the body broke off");
    }
    return bytes.toByteArray();
  }

  private HttpProblemException tooLarge() {
    return HttpProblemException.of(
        HttpStatus.CONTENT_TOO_LARGE,
        "the body is larger than the %d bytes allowed".formatted(limits.maxBodyBytes()));
  }

  /** Nobody needs it any more. */
  @Override
  public void close() {
    release(reserved);
  }
}
