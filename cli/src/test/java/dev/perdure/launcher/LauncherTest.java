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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the launcher in a temporary project, with a fake Maven and fake JDKs that only print their
 * arguments. {@code .ci/run} runs it with the real ones in a fresh clone.
 */
@Tag("slow")
class LauncherTest {

  private static final String WAITING = "another launcher is building";

  private record LaunchResult(int code, String out, String err) {}

  @TempDir private Path temporary;
  private Path home;
  private Path jar;
  private Path tools;

  @BeforeEach
  void createProject() throws IOException {
    home = Files.createDirectories(temporary.resolve("a clone with spaces"));
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
  void uses_java_home_and_passes_the_arguments_on() throws Exception {
    builtAfterSources();
    Path jdk = jdk("twenty-one", "21.0.2");

    LaunchResult result = launch(Map.of("JAVA_HOME", jdk.toString()), "explain", "a policy", "");

    assertThat(result.code()).isZero();
    assertThat(result.out()).startsWith("twenty-one:").endsWith("[explain] [a policy] []\n");
    assertThat(result.out()).contains("[-jar] [" + jar + "]");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void ignores_a_java_home_that_is_too_old() throws Exception {
    builtAfterSources();
    Path old = jdk("seventeen", "17.0.15");
    Path onPath = jdk("twenty-two", "22");
    Files.createSymbolicLink(tools.resolve("java"), onPath.resolve("bin/java"));

    LaunchResult result = launch(Map.of("JAVA_HOME", old.toString()), "version");

    assertThat(result.out()).startsWith("twenty-two:");
  }

  @Test
  void works_through_a_symbolic_link() throws Exception {
    builtAfterSources();
    Path bin = Files.createDirectories(temporary.resolve("bin"));
    Path link = Files.createSymbolicLink(bin.resolve("perdure"), home.resolve("perdure"));
    home = bin;

    LaunchResult result = launch(Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "version");

    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("[-jar] [" + jar + "]");
    assertThat(bin).isDirectoryContaining(link::equals).isDirectoryNotContaining("glob:**server");
  }

  @Test
  void renews_the_class_cache_when_the_jar_is_newer() throws Exception {
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

    LaunchResult result = launch(Map.of("JAVA_HOME", jdk.toString()), "version");

    assertThat(cache).hasContent("trained");
    assertThat(result.err()).contains("preparing fast starts, once after each build");
  }

  @Test
  void tries_once_to_create_a_class_cache() throws Exception {
    builtAfterSources();
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(30)));
    Files.setLastModifiedTime(
        home.resolve("server/src/main/java/Main.java"), FileTime.from(Instant.EPOCH));
    for (String file :
        new String[] {"pom.xml", "server/pom.xml", "server/src/main/java", "server/src/main"}) {
      Files.setLastModifiedTime(home.resolve(file), FileTime.from(Instant.EPOCH));
    }
    Path jdk = jdk("jdk", "25");
    Path calls = temporary.resolve("calls");
    script(
        jdk.resolve("bin/java"),
        "case $* in *AOTCacheOutput*) echo once >> '" + calls + "'; exit 1;; esac; echo ran");

    for (int i = 0; i < 3; i++) {
      assertThat(launch(Map.of("JAVA_HOME", jdk.toString()), "version").out()).isEqualTo("ran\n");
    }

    assertThat(calls).hasContent("once");
  }

  @Test
  void does_not_change_a_jar_that_is_running() throws Exception {
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
  void takes_over_from_a_launcher_that_died_during_its_build() throws Exception {
    lockFor(deadProcess());

    LaunchResult result = launch(Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "version");

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err()).doesNotContain(WAITING);
    assertThat(jar).hasContent("built");
    assertThat(isFree()).isTrue();
  }

  private static long deadProcess() throws IOException, InterruptedException {
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

  /** The other launcher finishes its build while this one waits. */
  private void otherFinishesMeanwhile() throws IOException {
    script(tools.resolve("sleep"), "rm -f '%s'".formatted(lock()));
  }

  @Test
  void waits_for_a_running_build_even_without_ps() throws Exception {
    lockFor(ProcessHandle.current().pid());
    otherFinishesMeanwhile();
    String[] needed = {
      "dirname", "find", "grep", "head", "ln", "mkdir", "mv", "readlink", "rm", "sed", "touch"
    };

    Map<String, String> environment = new HashMap<>(onlyTools(needed));
    environment.put("JAVA_HOME", jdk("jdk", "21").toString());
    LaunchResult result = launch(environment, "version");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err()).contains(WAITING);
    assertThat(jar).hasContent("built");
  }

  @Test
  void returns_the_lock_to_a_launcher_that_took_over_first() throws Exception {
    lockFor(deadProcess());
    otherFinishesMeanwhile();
    Path once = temporary.resolve("once");
    String quicker =
        "[ -e '%1$s' ] || { : >'%1$s'; rm '%2$s'; ln -s %3$d '%2$s'; }"
            .formatted(once, lock(), ProcessHandle.current().pid());
    script(tools.resolve("mv"), quicker + "\nexec /bin/mv \"$@\"");

    LaunchResult result = launch(Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "version");

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err()).contains(WAITING);
    assertThat(jar).hasContent("built");
    assertThat(isFree()).isTrue();
  }

  @Test
  void passes_the_called_command_to_java() throws Exception {
    builtAfterSources();
    Path jdk = jdk("jdk", "21");
    script(jdk.resolve("bin/java"), "echo \"$PERDURE_CALL\"");
    Map<String, String> environment = Map.of("JAVA_HOME", jdk.toString());

    assertThat(launch(environment).out()).isEqualTo(home.resolve("perdure") + "\n");
    assertThat(launch(Map.of("JAVA_HOME", jdk.toString(), "PATH", home + ":/usr/bin:/bin")).out())
        .isEqualTo("perdure\n");
  }

  @Test
  void waits_for_another_launcher_and_uses_its_build() throws Exception {
    lockFor(ProcessHandle.current().pid());
    script(tools.resolve("sleep"), "echo theirs > '%s'; rm '%s'".formatted(jar, lock()));

    LaunchResult result = launch(Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "version");

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err()).isEqualTo("perdure: another launcher is building; waiting for it\n");
    assertThat(result.out()).contains("[version]");
    assertThat(jar).hasContent("theirs");
    assertThat(isFree()).isTrue();
  }

  @Test
  void gives_up_waiting_after_a_while() throws Exception {
    lockFor(ProcessHandle.current().pid());

    LaunchResult result = launch(Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "version");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).endsWith("if it is not running, remove " + lock() + "\n");
    assertThat(jar).doesNotExist();
    assertThat(isFree()).isFalse();
  }

  @Test
  void reports_a_folder_it_cannot_write() throws Exception {
    Files.createDirectories(home.resolve("cli"));
    Files.writeString(home.resolve("cli/target"), "a file where a folder should be");

    LaunchResult result = launch(Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "version");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("cannot write to " + home.resolve("cli/target"));
  }

  @Test
  void keeps_a_class_cache_next_to_the_jar() throws Exception {
    builtAfterSources();
    assertThat(launch(Map.of("JAVA_HOME", jdk("a", "21.0.2").toString())).out())
        .contains("[-XX:SharedArchiveFile=" + jar.resolveSibling("perdure-21.jsa") + "]");
    assertThat(launch(Map.of("JAVA_HOME", jdk("b", "25").toString())).out())
        .doesNotContain("SharedArchiveFile");
  }

  @Test
  void builds_a_missing_jar() throws Exception {
    LaunchResult result = launch(Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "version");

    assertThat(result.code()).isZero();
    assertThat(result.err()).contains("building");
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
  void reports_a_failed_build_and_runs_nothing() throws Exception {
    script(tools.resolve("mvn"), "echo '[ERROR] Main.java does not compile'; exit 1");

    LaunchResult result = launch(Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "version");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains("Main.java does not compile", "the build failed", "launcher-build.log");
    assertThat(isFree()).isTrue();
  }

  /** A PATH with only these tools, so that the launcher does not find a real browser. */
  private Map<String, String> onlyTools(String... names) throws IOException {
    for (String name : names) {
      Files.createSymbolicLink(tools.resolve(name), Path.of("/usr/bin/" + name));
    }
    return Map.of("PATH", tools.toString());
  }

  @Test
  void installs_a_browser_with_the_package_manager() throws Exception {
    script(tools.resolve("id"), "echo 0");
    script(
        tools.resolve("apt-get"),
        "echo \"apt-get $*\"; case $1 in install) cp \"$0\" \"$(dirname \"$0\")/chromium\";; esac");

    Map<String, String> environment = onlyTools("env", "cp", "dirname");
    LaunchResult result = launch(environment, "setup-browser");

    assertThat(result.code()).isZero();
    assertThat(result.err())
        .contains("apt-get install -y -qq --no-install-recommends chromium\n")
        .endsWith("perdure: found a browser: " + tools.resolve("chromium") + "\n");
    assertThat(launch(environment, "setup-browser").err())
        .isEqualTo("perdure: found a browser: " + tools.resolve("chromium") + "\n");
  }

  @Test
  void says_what_to_do_without_a_package_manager() throws Exception {
    LaunchResult result = launch(onlyTools("env"), "setup-browser");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("install Chromium, or set PERDURE_CHROMIUM");
  }

  @Test
  void asks_for_maven_when_it_is_missing() throws Exception {
    Files.delete(tools.resolve("mvn"));
    for (String tool : new String[] {"dirname", "find", "head", "ln", "mkdir", "sed", "rm"}) {
      Files.createSymbolicLink(tools.resolve(tool), Path.of("/usr/bin/" + tool));
    }

    Map<String, String> environment =
        Map.of("JAVA_HOME", jdk("jdk", "21").toString(), "PATH", tools.toString());
    LaunchResult result = launch(environment, "version");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("needs Maven");
  }
}
