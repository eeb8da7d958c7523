// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.ui;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The built files of the dashboard, read from the class path when they are first asked for. Only
 * files that the build has listed exist, so no path can lead out of the folder.
 */
final class DashboardFiles {

  private static final String FOLDER = "META-INF/perdure-ui/";
  private static final String LIST = "files.txt";

  private final ClassLoader loader;
  private final Set<String> names;
  private final Map<String, DashboardFile> cache = new ConcurrentHashMap<>();

  /** A file and the same compressed with gzip. */
  @SuppressWarnings("ArrayRecordComponent") // Files are never compared.
  record DashboardFile(byte[] plain, byte[] gzip) {}

  private DashboardFiles(ClassLoader loader, Set<String> names) {
    this.loader = loader;
    this.names = names;
  }

  /** The files of the build that this loader reads, which may have been made without them. */
  static DashboardFiles load(ClassLoader loader) {
    Set<String> names =
        read(loader, LIST)
            .map(bytes -> new String(bytes, StandardCharsets.UTF_8).lines())
            .map(lines -> lines.collect(Collectors.toUnmodifiableSet()))
            .orElse(Set.of());
    return new DashboardFiles(loader, names);
  }

  /** True if this build has no dashboard. */
  boolean isEmpty() {
    return names.isEmpty();
  }

  /** The file at this path below {@code /ui/}. */
  Optional<DashboardFile> find(String path) {
    return names.contains(path)
        ? Optional.of(cache.computeIfAbsent(path, this::file))
        : Optional.empty();
  }

  private DashboardFile file(String path) {
    return new DashboardFile(required(path), required(path + ".gz"));
  }

  private byte[] required(String path) {
    return read(loader, path)
        .orElseThrow(() -> new IllegalStateException("the jar lists " + path + " but lacks it"));
  }

  private static Optional<byte[]> read(ClassLoader loader, String path) {
    try (InputStream in = loader.getResourceAsStream(FOLDER + path)) {
      return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("the jar cannot be read", e);
    }
  }
}
