// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import dev.perdure.policy.Failure;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells failures with the same cause apart from others: those that differ only in ids, numbers,
 * quoted text and addresses have the same fingerprint. So a thousand failed tasks are a few errors.
 *
 * <p>The fingerprint is stored with the task, so a change of this function splits the errors that
 * exist.
 *
 * @param id 16 hexadecimal digits
 * @param title the message with placeholders, for people; at most {@value #MAX_TITLE} characters
 */
public record ErrorFingerprint(String id, String title) {

  /** Maximum number of characters of the message that count. */
  public static final int MAX_TITLE = 200;

  private static final int BYTES = 8;
  private static final String SEPARATOR = "\0";

  /** The fingerprint of a failure. */
  public static ErrorFingerprint of(
      @Nullable String failureKind,
      int status,
      @Nullable String code,
      @Nullable String message,
      List<String> exceptionTypes) {
    String type = exceptionTypes.isEmpty() ? "" : type(exceptionTypes.getFirst());
    String text = message == null ? "" : MessageTemplate.of(message, status, MAX_TITLE);
    String shortCode = code == null ? "" : MessageTemplate.cut(code, MAX_TITLE);
    String id = digest(failureKind == null ? "" : failureKind, status, shortCode, type, text);
    return new ErrorFingerprint(id, title(text, status, shortCode, type, failureKind));
  }

  /**
   * The fingerprint of a failed attempt, or null if it did not fail. A lost worker is no failure of
   * the work.
   */
  public static @Nullable ErrorFingerprint of(AttemptDetails details) {
    return details.failureKind() == null
        ? null
        : of(
            details.failureKind(),
            details.status(),
            details.code(),
            details.message(),
            details.exceptionTypes());
  }

  /** The fingerprint of a task that failed without a failed attempt. */
  public static ErrorFingerprint of(TaskGiveUpReason reason) {
    String title =
        switch (reason) {
          case EXPIRED -> "the deadline passed";
          case LOST -> "its workers were lost";
          case UPSTREAM_FAILED -> "a task that it depends on failed";
          case NO_POLICY, NOT_RETRYABLE, EXHAUSTED -> "it failed without a message";
        };
    return new ErrorFingerprint(digest("give_up", Failure.NO_STATUS, "", "", reason.text()), title);
  }

  private static String title(
      String text, int status, String code, String type, @Nullable String failureKind) {
    if (!text.isEmpty()) {
      return text;
    }
    if (!code.isEmpty()) {
      return code;
    }
    if (status != Failure.NO_STATUS) {
      return "HTTP " + status;
    }
    if (!type.isEmpty()) {
      return MessageTemplate.cut(type.substring(type.lastIndexOf('.') + 1), MAX_TITLE);
    }
    return failureKind == null ? "failure" : failureKind.replace('_', ' ');
  }

  /** The class without what the JVM adds to generated classes, which differs in each process. */
  private static String type(String name) {
    int generated = name.indexOf("$$");
    return MessageTemplate.cut(generated > 0 ? name.substring(0, generated) : name, MAX_TITLE);
  }

  private static String digest(String kind, int status, String code, String type, String template) {
    String content = String.join(SEPARATOR, kind, Integer.toString(status), code, type, template);
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
