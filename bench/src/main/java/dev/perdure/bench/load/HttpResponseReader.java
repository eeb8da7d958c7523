// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads HTTP/1.1 messages that have a Content-Length, as all messages here do. */
final class HttpResponseReader {

  private static final int MAX_HEAD_BYTES = 16 * 1024;
  private static final int MAX_BODY_BYTES = 16 * 1024 * 1024;
  private static final String LENGTH = "\r\ncontent-length:";

  private final InputStream in;
  private final byte[] head = new byte[MAX_HEAD_BYTES];

  HttpResponseReader(InputStream in) {
    this.in = new BufferedInputStream(in, MAX_HEAD_BYTES);
  }

  /** The start line and headers of the next message; null at the end of the stream. */
  @Nullable String head() throws IOException {
    int length = 0;
    while (!ended(length)) {
      int next = in.read();
      if (next < 0 && length == 0) {
        return null;
      }
      if (next < 0 || length == MAX_HEAD_BYTES) {
        throw new EOFException("The headers do not end within %d bytes".formatted(length));
      }
      head[length++] = (byte) next;
    }
    return new String(head, 0, length, ISO_8859_1);
  }

  private boolean ended(int length) {
    return length >= 4
        && head[length - 1] == '\n'
        && head[length - 2] == '\r'
        && head[length - 3] == '\n';
  }

  byte[] body(String head) throws IOException {
    int length = length(head);
    if (length > MAX_BODY_BYTES) {
      throw new IOException("The body is too large: %,d bytes".formatted(length));
    }
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("The body ends after %d of %d bytes".formatted(body.length, length));
    }
    return body;
  }

  private static int length(String head) {
    for (int i = head.indexOf("\r\n"); i >= 0; i = head.indexOf("\r\n", i + 2)) {
      if (head.regionMatches(true, i, LENGTH, 0, LENGTH.length())) {
        int end = head.indexOf("\r\n", i + 2);
        return Integer.parseInt(head.substring(i + LENGTH.length(), end).strip());
      }
    }
    return 0;
  }
}
