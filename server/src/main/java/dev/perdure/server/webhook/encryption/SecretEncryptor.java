// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.encryption;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.random.RandomGenerator;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts texts with AES-256-GCM. A reader of the database cannot read them, and a text that was
 * changed there does not decrypt. The ciphertext is not bound to its row: someone who can write to
 * the database can swap two ciphertexts, or put in a text that was never encrypted. Safe to share.
 */
public final class SecretEncryptor {

  private static final String VERSION = "v1.";
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final String DAMAGED = "the encrypted text is damaged";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private final EncryptionKeys keys;
  private final RandomGenerator random;

  /**
   * Encrypts and decrypts with these keys.
   *
   * @param random a cryptographically secure source; two texts must never share a nonce
   */
  public SecretEncryptor(EncryptionKeys keys, RandomGenerator random) {
    this.keys = keys;
    this.random = random;
  }

  /** False when there is no key. */
  public boolean isEnabled() {
    return !keys.isEmpty();
  }

  public String encrypt(String text) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      byte[] plain = text.getBytes(StandardCharsets.UTF_8);
      byte[] encrypted = cipher(Cipher.ENCRYPT_MODE, keys.all().getFirst(), nonce).doFinal(plain);
      byte[] both = Arrays.copyOf(nonce, NONCE_BYTES + encrypted.length);
      System.arraycopy(encrypted, 0, both, NONCE_BYTES, encrypted.length);
      return VERSION + Base64.getUrlEncoder().withoutPadding().encodeToString(both);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java does not support " + CIPHER, e);
    }
  }

  /**
   * Decrypts a text.
   *
   * @throws IllegalStateException when none of the keys decrypts it, or it is damaged
   */
  public String decrypt(String encrypted) {
    if (encrypted.startsWith(VERSION)) {
      byte[] both = decoded(encrypted.substring(VERSION.length()));
      for (SecretKeySpec key : keys.all()) {
        byte[] plain = tryDecrypt(key, both);
        if (plain.length > 0) {
          return new String(plain, StandardCharsets.UTF_8);
        }
      }
    }
    throw new IllegalStateException(
        "it was encrypted with a key that is not in SECRETS_KEY: add that key");
  }

  private static byte[] decoded(String text) {
    try {
      byte[] both = Base64.getUrlDecoder().decode(text);
      if (both.length > NONCE_BYTES) {
        return both;
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(DAMAGED, e);
    }
    throw new IllegalStateException(DAMAGED);
  }

  /** Empty when it is the wrong key; the plain text is never empty. */
  private static byte[] tryDecrypt(SecretKeySpec key, byte[] both) {
    try {
      byte[] nonce = Arrays.copyOf(both, NONCE_BYTES);
      return cipher(Cipher.DECRYPT_MODE, key, nonce)
          .doFinal(both, NONCE_BYTES, both.length - NONCE_BYTES);
    } catch (AEADBadTagException e) {
      return new byte[0];
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(DAMAGED, e);
    }
  }

  private static Cipher cipher(int mode, SecretKeySpec key, byte[] nonce)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    return cipher;
  }
}
