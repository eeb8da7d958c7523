/** In-process retry: the policy, in memory. */
@SuppressWarnings("requires-transitive-automatic") // Micrometer has no descriptor.
module dev.perdure.retry {
  requires transitive dev.perdure.policy;
  requires static transitive org.jspecify;
  requires static transitive java.net.http;
  requires static transitive micrometer.core;

  exports dev.perdure.retry;
  exports dev.perdure.retry.http;
  exports dev.perdure.retry.micrometer;
  exports dev.perdure.retry.testing;
}
