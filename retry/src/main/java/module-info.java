/** In-process retries with a retry policy. */
module dev.perdure.retry {
  requires transitive dev.perdure.policy;
  requires static transitive org.jspecify;
  requires static transitive java.net.http;
  requires static micrometer
      .core; // Not transitive: users without Micrometer must be able to compile.

  exports dev.perdure.retry;
  exports dev.perdure.retry.http;
  exports dev.perdure.retry.micrometer;
  exports dev.perdure.retry.testing;
}
