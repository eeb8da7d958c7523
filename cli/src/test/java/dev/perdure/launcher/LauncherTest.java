// SPDX-License-Identifier: Apache-2.0
package dev.perdure.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher in a tree of its own, with JDKs and a Maven that only say what they were asked. The
 * real ones are met where the build ends: {@code .ci/run} calls the launcher in a fresh clone.
 */
class LauncherTest {

  private static final String WAITS = "another launcher is building";

  private record LaunchResult(int code, String out, String err) {}

  @TempDir private Path temporary;
  private Path home;
  private Path jar;
  private Path tools;

  @BeforeEach
  void layTree() throws IOException {
    home = Files.createDirectories(temporary.resolve("a clone with blanks"));
    tools = Files.createDirectories(temporary.resolve("tools"));
    Files.copy(Path.of("../perdure"), home.resolve("perdure"));
    executable(home.resolve("perdure"));
    Files.createDirectories(home.resolve("server/src/main/java"));
    Files.writeString(home.resolve("server/src/main/java/Main.java"), "class Main {}");
    Files.writeString(home.resolve("pom.xml"), "<project/>");
    Files.writeString(home.resolve("server/pom.xml"), "<project/>");
    jar = home.resolve("cli/target/perdure.jar");
    script(
        tools.resolve("mvn"),
        "for a in \"$@\"; do case $a in -Dperdure.jar=*) echo built > \"${a#*=}\";; esac; done");
    // Nobody waits here for longer than it takes to look again.
    script(tools.resolve("sleep"), "exit 0");
  }

  private void builtAfterSources() throws IOException {
    Files.createDirectories(jar.getParent());
    Files.writeString(jar, "built before\n");
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(60)));
  }

  private Path jdk(String name, String version) throws IOException {
    Path jdk = Files.createDirectories(temporary.resolve(name));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    Files.createDirectories(jdk.resolve("bin"));
    script(jdk.resolve("bin/javac"), "exit 0");
    script(
        jdk.resolve("bin/java"),
        "printf '%s:' " + name + "; for a in \"$@\"; do printf ' [%s]' \"$a\"; done; echo");
    return jdk;
  }

  private static void script(Path path, String body) throws IOException {
    Files.writeString(path, "#!/bin/sh\n" + body + "\n");
    executable(path);
  }

  private static void executable(Path path) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private LaunchResult launch(Map<String, String> environment, String... args)
      throws IOException, InterruptedException {
    String[] command = new String[args.length + 1];
    command[0] = home.resolve("perdure").toString();
    System.arraycopy(args, 0, command, 1, args.length);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().put("PATH", tools + ":/usr/bin:/bin");
    builder.environment().putAll(environment);
    Path err = temporary.resolve("err");
    Process process = builder.redirectError(err.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new LaunchResult(process.waitFor(), out, Files.readString(err));
  }

  @Test
  void takes_the_jdk_of_java_home_and_hands_the_arguments_on() throws Exception {
    builtAfterSources();
    Path jdk = jdk("twenty-one", "21.0.2");

    LaunchResult launchResult =
        launch(Map.of("JAVA_HOME", jdk.toString()), "explain", "a policy", "");

    assertThat(launchResult.code()).isZero();
    assertThat(launchResult.out()).startsWith("twenty-one:").endsWith("[explain] [a policy] []\n");
    assertThat(launchResult.out()).contains("[-jar] [" + jar + "]");
    assertThat(launchResult.err()).isEmpty();
  }

  @Test
  void passes_over_a_java_home_that_is_too_old() throws Exception {
    builtAfterSources();
    Path old = jdk("seventeen", "17.0.15");
    Path onPath = jdk("twenty-two", "22");
    Files.createSymbolicLink(tools.resolve("java"), onPath.resolve("bin/java"));

    LaunchResult launchResult = launch(Map.of("JAVA_HOME", old.toString()), "version");

    assertThat(launchResult.out()).startsWith("twenty-two:");
  }

  @Test
  void works_through_a_link_and_leaves_nothing_beside_it() throws Exception {
    builtAfterSources();
    Path bin = Files.createDirectories(temporary.resolve("bin"));
    Path link = Files.createSymbolicLink(bin.resolve("perdure"), home.resolve("perdure"));
    home = bin;

    LaunchResult launchResult = launch(Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "version");

    assertThat(launchResult.code()).isZero();
    assertThat(launchResult.out()).contains("[-jar] [" + jar + "]");
    assertThat(bin).isDirectoryContaining(link::equals).isDirectoryNotContaining("glob:**server");
  }

  @Test
  void makes_a_new_class_cache_when_the_jar_is_newer() throws Exception {
    builtAfterSources();
    Path jdk = jdk("jdk", "25");
    script(
        jdk.resolve("bin/java"),
        "for a in \"$@\"; do case $a in -XX:AOTCacheOutput=*) echo trained > \"${a#*=}\";; esac; done");
    Path cache = jar.resolveSibling("perdure-25.aot");
    Files.writeString(cache, "of an older jar");
    Files.setLastModifiedTime(cache, FileTime.from(Instant.now().minusSeconds(60)));
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(30)));
    Files.setLastModifiedTime(
        home.resolve("server/src/main/java/Main.java"), FileTime.from(Instant.EPOCH));

    launch(Map.of("JAVA_HOME", jdk.toString()), "version");

    assertThat(cache).hasContent("trained");
  }

  @Test
  void tries_once_for_a_class_cache_that_cannot_be_made() throws Exception {
    builtAfterSources();
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(30)));
    Files.setLastModifiedTime(
        home.resolve("server/src/main/java/Main.java"), FileTime.from(Instant.EPOCH));
    for (String file :
        new String[] {"pom.xml", "server/pom.xml", "server/src/main/java", "server/src/main"}) {
      Files.setLastModifiedTime(home.resolve(file), FileTime.from(Instant.EPOCH));
    }
    Path jdk = jdk("jdk", "25");
    Path asked = temporary.resolve("asked");
    script(
        jdk.resolve("bin/java"),
        "case $* in *AOTCacheOutput*) echo once >> '" + asked + "'; exit 1;; esac; echo ran");

    for (int i = 0; i < 3; i++) {
      assertThat(launch(Map.of("JAVA_HOME", jdk.toString()), "version").out()).isEqualTo("ran\n");
    }

    assertThat(asked).hasContent("once");
  }

  @Test
  void leaves_the_jar_alone_that_somebody_runs_from() throws Exception {
    builtAfterSources();
    Path running = jar.resolveSibling("the-same-file");
    Files.createLink(running, jar);
    Path source = home.resolve("server/src/main/java/Main.java");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(120)));

    launch(Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "version");

    assertThat(jar).hasContent("built");
    assertThat(running).hasContent("built before");
  }

  @Test
  void takes_over_from_a_launcher_that_died_while_it_built() throws Exception {
    lockFor(dead());

    LaunchResult launchResult = launch(Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "version");

    assertThat(launchResult.code()).as(launchResult.err()).isZero();
    assertThat(launchResult.err()).doesNotContain(WAITS);
    assertThat(jar).hasContent("built");
    assertThat(isFree()).isTrue();
  }

  private static long dead() throws IOException, InterruptedException {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    return process.pid();
  }

  private Path lock() {
    return home.resolve("cli/target/launcher.lock");
  }

  private void lockFor(long holder) throws IOException {
    Files.createDirectories(jar.getParent());
    Files.createSymbolicLink(lock(), Path.of(Long.toString(holder)));
  }

  private boolean isFree() {
    return Files.notExists(lock(), LinkOption.NOFOLLOW_LINKS);
  }

  /** So the other one has built, and the wait is over at once. */
  private void otherIsDoneAfterAWhile() throws IOException {
    script(tools.resolve("sleep"), "rm -f '%s'".formatted(lock()));
  }

  @Test
  void waits_for_one_that_builds_also_where_there_is_no_ps() throws Exception {
    lockFor(ProcessHandle.current().pid());
    otherIsDoneAfterAWhile();
    String[] needed = {
      "dirname", "find", "grep", "head", "ln", "mkdir", "mv", "readlink", "rm", "sed", "touch"
    };

    Map<String, String> environment = new HashMap<>(onlyTools(needed));
    environment.put("JAVA_HOME", jdk("jdk", "21").toString());
    LaunchResult launchResult = launch(environment, "version");

    assertThat(launchResult.code()).as(launchResult.err()).isZero();
    assertThat(launchResult.err()).contains(WAITS);
    assertThat(jar).hasContent("built");
  }

  @Test
  void gives_back_the_lock_of_one_that_took_over_before() throws Exception {
    lockFor(dead());
    otherIsDoneAfterAWhile();
    Path once = temporary.resolve("once");
    String quicker =
        "[ -e '%1$s' ] || { : >'%1$s'; rm '%2$s'; ln -s %3$d '%2$s'; }"
            .formatted(once, lock(), ProcessHandle.current().pid());
    script(tools.resolve("mv"), quicker + "\nexec /bin/mv \"$@\"");

    LaunchResult launchResult = launch(Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "version");

    assertThat(launchResult.code()).as(launchResult.err()).isZero();
    assertThat(launchResult.err()).contains(WAITS);
    assertThat(jar).hasContent("built");
    assertThat(isFree()).isTrue();
  }

  @Test
  void says_how_it_was_called() throws Exception {
    builtAfterSources();
    Path jdk = jdk("jdk", "21");
    script(jdk.resolve("bin/java"), "echo \"$PERDURE_CALL\"");
    Map<String, String> environment = Map.of("JAVA_HOME", jdk.toString());

    assertThat(launch(environment).out()).isEqualTo(home.resolve("perdure") + "\n");
    assertThat(launch(Map.of("JAVA_HOME", jdk.toString(), "PATH", home + ":/usr/bin:/bin")).out())
        .isEqualTo("perdure\n");
  }

  @Test
  void waits_for_another_launcher_and_takes_what_that_has_built() throws Exception {
    lockFor(ProcessHandle.current().pid());
    script(tools.resolve("sleep"), "echo theirs > '%s'; rm '%s'".formatted(jar, lock()));

    LaunchResult launchResult = launch(Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "version");

    assertThat(launchResult.code()).as(launchResult.err()).isZero();
    assertThat(launchResult.err())
        .isEqualTo("perdure: another launcher is building, waiting for it\n");
    assertThat(launchResult.out()).contains("[version]");
    assertThat(jar).hasContent("theirs");
    assertThat(isFree()).isTrue();
  }

  @Test
  void does_not_wait_for_ever() throws Exception {
    lockFor(ProcessHandle.current().pid());

    LaunchResult launchResult = launch(Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "version");

    assertThat(launchResult.code()).isEqualTo(2);
    assertThat(launchResult.err()).endsWith("if it is gone, remove " + lock() + "\n");
    assertThat(jar).doesNotExist();
    assertThat(isFree()).isFalse();
  }

  @Test
  void says_where_it_may_not_write() throws Exception {
    Files.writeString(home.resolve("cli/target"), "a file where a folder should be");

    LaunchResult launchResult = launch(Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "version");

    assertThat(launchResult.code()).isEqualTo(2);
    assertThat(launchResult.err()).contains("may not write into " + home.resolve("cli/target"));
  }

  @Test
  void keeps_a_class_cache_beside_the_jar() throws Exception {
    builtAfterSources();
    assertThat(launch(Map.of("JAVA_HOME", jdk("a", "21.0.2").toString())).out())
        .contains("[-XX:SharedArchiveFile=" + jar.resolveSibling("perdure-21.jsa") + "]");
    assertThat(launch(Map.of("JAVA_HOME", jdk("b", "25").toString())).out())
        .doesNotContain("SharedArchiveFile");
  }

  @Test
  void builds_a_jar_that_is_missing() throws Exception {
    LaunchResult launchResult = launch(Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "version");

    assertThat(launchResult.code()).isZero();
    assertThat(launchResult.err()).contains("building");
    assertThat(jar).hasContent("built");
  }

  @Test
  void builds_again_when_a_source_is_newer_and_only_then() throws Exception {
    builtAfterSources();
    Map<String, String> environment = Map.of("JAVA_HOME", jdk("jdk", "21").toString());
    assertThat(launch(environment, "version").err()).isEmpty();

    Path source = home.resolve("server/src/main/java/Main.java");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(120)));
    assertThat(launch(environment, "version").err()).contains("building");
    assertThat(jar).hasContent("built");
  }

  @Test
  void says_what_went_wrong_in_the_build_and_runs_nothing() throws Exception {
    script(tools.resolve("mvn"), "echo '[ERROR] Main.java does not compile'; exit 1");

    LaunchResult launchResult = launch(Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "version");

    assertThat(launchResult.code()).isEqualTo(2);
    assertThat(launchResult.out()).isEmpty();
    assertThat(launchResult.err())
        .contains("Main.java does not compile", "the build failed", "launcher-build.log");
    assertThat(isFree()).isTrue();
  }

  /** Nothing but these, so that no browser of the machine is found. */
  private Map<String, String> onlyTools(String... names) throws IOException {
    for (String name : names) {
      Files.createSymbolicLink(tools.resolve(name), Path.of("/usr/bin/" + name));
    }
    return Map.of("PATH", tools.toString());
  }

  @Test
  void installs_a_browser_with_the_machines_own_installer() throws Exception {
    script(tools.resolve("id"), "echo 0");
    script(
        tools.resolve("apt-get"),
        "echo \"apt-get $*\"; case $1 in install) cp \"$0\" \"$(dirname \"$0\")/chromium\";; esac");

    Map<String, String> environment = onlyTools("env", "cp", "dirname");
    LaunchResult launchResult = launch(environment, "setup-browser");

    assertThat(launchResult.code()).isZero();
    assertThat(launchResult.err())
        .contains("apt-get install -y -qq --no-install-recommends chromium\n")
        .endsWith("perdure: the browser is there: " + tools.resolve("chromium") + "\n");
    assertThat(launch(environment, "setup-browser").err())
        .isEqualTo("perdure: the browser is there: " + tools.resolve("chromium") + "\n");
  }

  @Test
  void says_what_to_do_when_no_installer_is_there() throws Exception {
    LaunchResult launchResult = launch(onlyTools("env"), "setup-browser");

    assertThat(launchResult.code()).isEqualTo(2);
    assertThat(launchResult.err()).contains("install Chromium, or point PERDURE_CHROMIUM at it");
  }

  @Test
  void asks_for_maven_when_there_is_none() throws Exception {
    Files.delete(tools.resolve("mvn"));
    for (String tool : new String[] {"dirname", "find", "head", "ln", "mkdir", "sed", "rm"}) {
      Files.createSymbolicLink(tools.resolve(tool), Path.of("/usr/bin/" + tool));
    }

    LaunchResult launchResult =
        launch(
            Map.of("JAVA_HOME", jdk("jdk", "21").toString(), "PATH", tools.toString()), "version");

    assertThat(launchResult.code()).isEqualTo(2);
    assertThat(launchResult.err()).contains("needs Maven");
  }
}
