// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.access;

import dev.perdure.policy.NearestName;
import dev.perdure.policy.Problem;
import dev.perdure.policy.Problems;
import dev.perdure.server.http.Role;
import dev.perdure.store.jdbc.access.KeyBook;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Hands out keys and takes them back. */
public final class Keys {

  /** Whoever has more keys than this has lost sight of them. */
  public static final int MOST = 1_000;

  public static final int MOST_ROLES = Role.GIVEN.size();

  private static final int LONGEST_NAME = 255;
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(3650);
  private static final List<String> ROLES = Role.GIVEN.stream().map(Role::text).toList();

  private final KeyBook book;
  private final RandomGenerator random;

  /**
   * @param random a source that nobody can foresee
   */
  public Keys(KeyBook book, RandomGenerator random) {
    this.book = book;
    this.random = random;
  }

  /**
   * A new key.
   *
   * @param validity null for ever
   * @throws dev.perdure.policy.InvalidPolicyException with everything that is wrong
   */
  public HandedOut create(String name, List<String> roles, @Nullable Duration validity) {
    check(name, roles, validity);
    String id = KeyFormat.newId(random);
    String text = KeyFormat.of(id, random);
    List<String> distinct = roles.stream().distinct().sorted().toList();
    book.add(new KeyBook.NewKey(id, name, distinct, KeyFormat.hash(text), validity));
    return new HandedOut(book.find(id).orElseThrow(), text);
  }

  /**
   * Goes on only when such a key can be made.
   *
   * @throws dev.perdure.policy.InvalidPolicyException with everything that is wrong
   */
  public void check(String name, List<String> roles, @Nullable Duration validity) {
    Problems problems = new Problems();
    if (name.isBlank() || name.length() > LONGEST_NAME || !printable(name)) {
      problems.add(
          "name", "must be 1 to %d printable characters, for people".formatted(LONGEST_NAME));
    }
    if (roles.isEmpty() || roles.size() > MOST_ROLES) {
      problems.add("roles", "must be one or more of " + String.join(", ", ROLES));
    }
    roles.stream().filter(role -> !ROLES.contains(role)).forEach(role -> unknown(problems, role));
    if (validity != null && (validity.compareTo(SHORTEST) < 0 || validity.compareTo(LONGEST) > 0)) {
      problems.add("expires_after", "must be 1s to %dd".formatted(LONGEST.toDays()));
    }
    problems.throwIfAny();
    if (!roles.contains(Role.ADMIN.text()) && !book.any()) {
      problems.add(
          "roles", "the first key must have the role admin: without it nobody could make another");
    }
    if (book.list(MOST).size() == MOST) {
      problems.add("", "there are %d keys already, as many as can be".formatted(MOST));
    }
    problems.throwIfAny();
  }

  private static boolean printable(String name) {
    return name.codePoints()
        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
  }

  private static void unknown(Problems problems, String role) {
    problems.add(
        "roles",
        "unknown role '%s'%s (%s)"
            .formatted(
                Problem.quotable(role), NearestName.hint(role, ROLES), String.join(", ", ROLES)));
  }

  /** All of them, newest first; those that are revoked too. */
  public List<KeyBook.Key> list() {
    return book.list(MOST);
  }

  /** Takes it back; false when there is none. */
  public boolean revoke(String id) {
    return book.revoke(id);
  }
}
