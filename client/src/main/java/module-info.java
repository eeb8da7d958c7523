/** The Java client of the HTTP API. */
module dev.perdure.client {
  requires transitive dev.perdure.policy.json;
  requires transitive java.net.http;
  requires static org.jspecify;

  exports dev.perdure.client;
}
