// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.engine.DeliveryOptions;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.PolicyJson;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.SettingParsers;
import dev.perdure.server.webhook.encryption.EncryptionKeys;
import dev.perdure.server.webhook.guard.AllowList;
import dev.perdure.server.webhook.sign.WebhookSigner;
import java.util.List;
import java.util.Optional;

/** The settings of webhooks. */
public final class WebhookSettings {

  public static final Setting<Integer> WORKER_WEBHOOK_CONCURRENCY =
      Setting.of(
          "worker_webhook_concurrency",
          "256",
          SettingParsers.integer(1, 10_000),
          "Maximum number of `on_start` calls that this node makes at once.");

  public static final Setting<AllowList> WEBHOOK_ALLOW =
      Setting.of(
          "webhook_allow",
          "",
          AllowList::parse,
          "Private addresses that webhooks may reach: CIDRs and host names, separated by commas.");

  public static final Setting<Optional<WebhookSigner>> WEBHOOK_SECRET =
      Setting.of(
              "webhook_secret",
              "",
              WebhookSettings::signer,
              "Secret that signs every webhook: `whsec_` and 24 to 64 random bytes in base64."
                  + " Several, separated by commas, while you replace one.")
          .secret();

  public static final Setting<Optional<RetryPolicy>> DELIVERY_RETRY =
      Setting.of(
          "delivery_retry",
          "",
          WebhookSettings::deliveryPolicy,
          "Retry policy for webhooks other than `on_start`, as JSON. By default 8 attempts over about"
              + " 3 days.");

  public static final Setting<EncryptionKeys> SECRETS_KEY =
      Setting.of(
              "secrets_key",
              "",
              EncryptionKeys::parse,
              "Key that encrypts webhooks in the database: 32 random bytes in base64. Several,"
                  + " separated by commas: the first encrypts, all decrypt.")
          .secret();

  /** All settings of this class, in the order in which they are shown. */
  public static final List<Setting<?>> ALL =
      List.of(
          WORKER_WEBHOOK_CONCURRENCY, WEBHOOK_ALLOW, WEBHOOK_SECRET, DELIVERY_RETRY, SECRETS_KEY);

  private WebhookSettings() {}

  private static Optional<WebhookSigner> signer(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(WebhookSigner.of(text));
  }

  private static Optional<RetryPolicy> deliveryPolicy(String text) {
    return text.isEmpty()
        ? Optional.empty()
        : Optional.of(DeliveryOptions.DEFAULT.withPolicy(PolicyJson.read(text)).policy());
  }
}
