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
 * Seals texts with AES-256-GCM, so that who reads the database cannot read them, and what was
 * changed there is not opened. A seal does not say where its text belongs: who writes into the
 * database can put one in another's place, or a text that was never sealed. Safe to share.
 */
public final class SecretEncryptor {

  private static final String VERSION = "v1.";
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final String DAMAGED = "what is sealed is damaged";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private final EncryptionKeys keys;
  private final RandomGenerator random;

  /**
   * Seals with these keys.
   *
   * @param random a source that nobody can foresee; two texts must never share a nonce
   */
  public SecretEncryptor(EncryptionKeys keys, RandomGenerator random) {
    this.keys = keys;
    this.random = random;
  }

  /** False when there is no key to seal with. */
  public boolean isEnabled() {
    return !keys.isEmpty();
  }

  public String encrypt(String text) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      byte[] plain = text.getBytes(StandardCharsets.UTF_8);
      byte[] secret = cipher(Cipher.ENCRYPT_MODE, keys.all().getFirst(), nonce).doFinal(plain);
      byte[] both = Arrays.copyOf(nonce, NONCE_BYTES + secret.length);
      System.arraycopy(secret, 0, both, NONCE_BYTES, secret.length);
      return VERSION + Base64.getUrlEncoder().withoutPadding().encodeToString(both);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + CIPHER, e);
    }
  }

  /**
   * What was sealed.
   *
   * @throws IllegalStateException when none of the keys opens it, or it is damaged
   */
  public String decrypt(String sealed) {
    if (sealed.startsWith(VERSION)) {
      byte[] both = decoded(sealed.substring(VERSION.length()));
      for (SecretKeySpec key : keys.all()) {
        byte[] plain = tryDecrypt(key, both);
        if (plain.length > 0) {
          return new String(plain, StandardCharsets.UTF_8);
        }
      }
    }
    throw new IllegalStateException(
        "it is sealed with a key that is not among those of SECRETS_KEY");
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

  /** Empty when the key is not the one; nobody seals nothing. */
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
