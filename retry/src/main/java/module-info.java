/** In-process retry: the policy, in memory. */
module dev.perdure.retry {
  requires transitive dev.perdure.policy;
  requires static transitive org.jspecify;

  exports dev.perdure.retry;
  exports dev.perdure.retry.testing;
}
