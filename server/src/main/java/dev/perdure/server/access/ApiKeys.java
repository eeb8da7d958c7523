// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.NameSuggestion;
import dev.perdure.server.http.Role;
import dev.perdure.store.jdbc.access.ApiKeyStore;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Creates, lists and revokes API keys. */
public final class ApiKeys {

  /** The maximum number of keys, revoked ones included. */
  public static final int MAX_KEYS = 1_000;

  public static final int MAX_ROLES = Role.ASSIGNABLE.size();

  private static final int MAX_NAME_LENGTH = 255;
  private static final Duration MIN_VALIDITY = Duration.ofSeconds(1);
  private static final Duration MAX_VALIDITY = Duration.ofDays(3650);
  private static final List<String> ROLES = Role.ASSIGNABLE.stream().map(Role::text).toList();

  private final ApiKeyStore store;
  private final RandomGenerator random;

  /**
   * @param random must be cryptographically strong
   */
  public ApiKeys(ApiKeyStore store, RandomGenerator random) {
    this.store = store;
    this.random = random;
  }

  /**
   * Creates a key.
   *
   * @param validity null means that it never expires
   * @throws dev.perdure.policy.InvalidPolicyException with all errors, if the arguments are invalid
   */
  public IssuedApiKey create(String name, List<String> roles, @Nullable Duration validity) {
    check(name, roles, validity);
    String id = ApiKeyFormat.newId(random);
    String text = ApiKeyFormat.of(id, random);
    List<String> distinct = roles.stream().distinct().sorted().toList();
    store.add(new ApiKeyStore.NewApiKey(id, name, distinct, ApiKeyFormat.hash(text), validity));
    return new IssuedApiKey(store.find(id).orElseThrow(), text);
  }

  /**
   * Checks whether such a key can be created.
   *
   * @throws dev.perdure.policy.InvalidPolicyException with all errors, if it cannot
   */
  public void check(String name, List<String> roles, @Nullable Duration validity) {
    FieldErrors fieldErrors = new FieldErrors();
    if (name.isBlank() || name.length() > MAX_NAME_LENGTH || !isPrintable(name)) {
      fieldErrors.add("name", "must be 1 to %d printable characters".formatted(MAX_NAME_LENGTH));
    }
    if (roles.isEmpty() || roles.size() > MAX_ROLES) {
      fieldErrors.add("roles", "must be one or more of " + String.join(", ", ROLES));
    }
    roles.stream()
        .filter(role -> !ROLES.contains(role))
        .forEach(role -> addUnknownRole(fieldErrors, role));
    if (validity != null
        && (validity.compareTo(MIN_VALIDITY) < 0 || validity.compareTo(MAX_VALIDITY) > 0)) {
      fieldErrors.add("expires_after", "must be 1s to %dd".formatted(MAX_VALIDITY.toDays()));
    }
    fieldErrors.throwIfAny();
    if (!roles.contains(Role.ADMIN.text()) && !store.exists()) {
      fieldErrors.add(
          "roles", "the first key must have the role admin, or no more keys could be created");
    }
    if (store.list(MAX_KEYS).size() == MAX_KEYS) {
      fieldErrors.add("", "there are already %d keys, which is the maximum".formatted(MAX_KEYS));
    }
    fieldErrors.throwIfAny();
  }

  private static boolean isPrintable(String name) {
    return name.codePoints()
        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
  }

  private static void addUnknownRole(FieldErrors fieldErrors, String role) {
    fieldErrors.add(
        "roles",
        "unknown role '%s'%s (%s)"
            .formatted(
                FieldError.sanitize(role),
                NameSuggestion.hint(role, ROLES),
                String.join(", ", ROLES)));
  }

  /** All keys, newest first, including revoked ones. */
  public List<ApiKeyStore.ApiKey> list() {
    return store.list(MAX_KEYS);
  }

  /** Revokes a key; false if there is no such key. */
  public boolean revoke(String id) {
    return store.revoke(id);
  }
}
