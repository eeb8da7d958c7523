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
 * Reads a body up to a limit, and only while all bodies in memory stay below their common limit. A
 * body whose {@code Content-Length} is too large is not read at all.
 *
 * <p>Memory for a body with a known length is reserved before reading, so that of many large bodies
 * those that have started can finish. A chunked body reserves what has arrived, so that a slow one
 * does not block others. Chunked bodies can together take all memory and each wait for more; the
 * first one whose wait ends is refused and frees its memory for the others.
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
   * @param bodyBytePermits how many bytes the bodies of all requests may still take
   * @param onArrived runs when the whole body was read
   */
  BoundedRequestBody(
      Request request, HttpLimits limits, Semaphore bodyBytePermits, Runnable onArrived) {
    this.request = request;
    this.limits = limits;
    this.bodyBytePermits = bodyBytePermits;
    this.onArrived = onArrived;
  }

  @Override
  public byte[] read() {
    long length = request.getLength();
    if (length > limits.maxBodyBytes()) {
      throw tooLarge();
    }
    byte[] bytes = length < 0 ? readChunked() : readFixedLength((int) length);
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
          "there is no memory for this body: all bodies together may have %d bytes"
              .formatted(limits.maxTotalBodyBytes()));
    }
    reserved += bytes;
  }

  /** Waits half as long each time, so that all waits of a body take two seconds at most. */
  private boolean awaitBytes(int bytes) {
    long timeout = waitMs;
    waitMs /= 2;
    try {
      return bodyBytePermits.tryAcquire(bytes, timeout, TimeUnit.MILLISECONDS);
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
    // Not closed: closing would read the rest, however long it is.
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
      throw HttpProblemException.badRequest("the connection ended before the whole body arrived");
    }
    return bytes.toByteArray();
  }

  private HttpProblemException tooLarge() {
    return HttpProblemException.of(
        HttpStatus.CONTENT_TOO_LARGE,
        "the body is larger than the %d bytes allowed".formatted(limits.maxBodyBytes()));
  }

  /** Frees the memory reserved for the body. */
  @Override
  public void close() {
    release(reserved);
  }
}
