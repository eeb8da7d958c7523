// SPDX-License-Identifier: Apache-2.0
package dev.perdure.docs;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The signature check that the documentation shows. */
final class WebhookSnippets {

  private WebhookSnippets() {}

  static boolean isGenuine(
      String secret, String id, String timestamp, String signature, String body)
      throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    String signed = String.join(".", id, timestamp, body);
    byte[] proof = mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
    byte[] expected =
        ("v1," + Base64.getEncoder().encodeToString(proof)).getBytes(StandardCharsets.UTF_8);
    boolean genuine =
        Stream.of(signature.split(" ", -1))
            .anyMatch(
                given -> MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8)));
    return genuine;
  }
}
