// A callee in Node.js, which fails twice and then succeeds. Usage: node callee.mjs [secret]
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = process.argv[2];
let attempts = 0;

const isGenuine = (headers, body) => {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const expected = Buffer.from("v1," + createHmac("sha256", key).update(signed).digest("base64"));
  const age = Math.abs(Date.now() / 1000 - Number(headers["webhook-timestamp"]));
  return (
    age < 300 &&
    headers["webhook-signature"].split(" ").some((given) => {
      const proof = Buffer.from(given);
      return proof.length === expected.length && timingSafeEqual(proof, expected);
    })
  );
};

// A server that does not respond, for example because it restarts, counts as busy (503).
const report = async (handle, method, body) => {
  const headers = { "content-type": "application/json" };
  const response = await fetch(handle, { method, headers, body: JSON.stringify(body) }).catch(() => null);
  return response?.status ?? 503;
};

const work = async (handle) => {
  await report(handle, "PUT", { new_success: 10 });
  const failed = ++attempts < 3;
  const outcome = failed ? { status: "Failure", failure_reason: `attempt ${attempts}` } : { status: "Success" };
  for (let tries = 1; tries <= 10; tries++) {
    const status = await report(handle, "PATCH", outcome);
    if (status < 500 && status !== 429) return console.log(`settled ${status}`);
    await new Promise((resolve) => setTimeout(resolve, Math.min(30_000, 250 * 2 ** tries)));
  }
  console.error("no answer to 10 reports, so the attempt times out");
};

const server = createServer(async (request, response) => {
  const body = (await request.toArray()).join("");
  const genuine = !secret || isGenuine(request.headers, body);
  response.writeHead(genuine ? 202 : 401).end();
  if (genuine) work(new URL(request.url, "http://callee").searchParams.get("handle"));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
