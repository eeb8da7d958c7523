// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.NearestName;
import dev.perdure.server.http.Role;
import dev.perdure.store.jdbc.access.ApiKeyStore;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Hands out keys and takes them back. */
public final class ApiKeys {

  /** Whoever has more keys than this has lost sight of them. */
  public static final int MAX_KEYS = 1_000;

  public static final int MAX_ROLES = Role.ASSIGNABLE.size();

  private static final int MAX_NAME_LENGTH = 255;
  private static final Duration MIN_VALIDITY = Duration.ofSeconds(1);
  private static final Duration MAX_VALIDITY = Duration.ofDays(3650);
  private static final List<String> ROLES = Role.ASSIGNABLE.stream().map(Role::text).toList();

  private final ApiKeyStore book;
  private final RandomGenerator random;

  /**
   * @param random a source that nobody can foresee
   */
  public ApiKeys(ApiKeyStore book, RandomGenerator random) {
    this.book = book;
    this.random = random;
  }

  /**
   * A new key.
   *
   * @param validity null for ever
   * @throws dev.perdure.policy.InvalidPolicyException with everything that is wrong
   */
  public IssuedApiKey create(String name, List<String> roles, @Nullable Duration validity) {
    check(name, roles, validity);
    String id = ApiKeyFormat.newId(random);
    String text = ApiKeyFormat.of(id, random);
    List<String> distinct = roles.stream().distinct().sorted().toList();
    book.add(new ApiKeyStore.NewApiKey(id, name, distinct, ApiKeyFormat.hash(text), validity));
    return new IssuedApiKey(book.find(id).orElseThrow(), text);
  }

  /**
   * Goes on only when such a key can be made.
   *
   * @throws dev.perdure.policy.InvalidPolicyException with everything that is wrong
   */
  public void check(String name, List<String> roles, @Nullable Duration validity) {
    FieldErrors fieldErrors = new FieldErrors();
    if (name.isBlank() || name.length() > MAX_NAME_LENGTH || !isPrintable(name)) {
      fieldErrors.add(
          "name", "must be 1 to %d printable characters, for people".formatted(MAX_NAME_LENGTH));
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
    if (!roles.contains(Role.ADMIN.text()) && !book.exists()) {
      fieldErrors.add(
          "roles", "the first key must have the role admin: without it nobody could make another");
    }
    if (book.list(MAX_KEYS).size() == MAX_KEYS) {
      fieldErrors.add("", "there are %d keys already, as many as can be".formatted(MAX_KEYS));
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
                NearestName.hint(role, ROLES),
                String.join(", ", ROLES)));
  }

  /** All of them, newest first; those that are revoked too. */
  public List<ApiKeyStore.ApiKey> list() {
    return book.list(MAX_KEYS);
  }

  /** Takes it back; false when there is none. */
  public boolean revoke(String id) {
    return book.revoke(id);
  }
}
