// A worker in Node.js, which downloads files.
// Usage: node worker.mjs http://127.0.0.1:8085 download [seconds of the lease]
const [, , url, kind, seconds = "60"] = process.argv;
const lease = `${seconds}s`;

// Waits for about half a second after the first try, and longer after each: up to 30 seconds.
const pause = (tries) => {
  const longest = Math.min(30_000, 250 * 2 ** tries);
  return new Promise((resolve) => setTimeout(resolve, longest * (1 + Math.random()) / 2));
};

const work = async ({ payload }) => {
  const response = await fetch(payload.url);
  if (!response.ok) throw new Error(`${payload.url} returned ${response.status}`);
  return { size: (await response.arrayBuffer()).byteLength };
};

// A server that does not respond, for example because it restarts, counts as busy (503).
const call = async (method, path, body) => {
  const headers = { "content-type": "application/json" };
  const signal = AbortSignal.timeout(60_000);
  try {
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body), signal });
    return { status: response.status, json: await response.json() };
  } catch (error) {
    return { status: 503, json: { detail: `${error}` } };
  }
};

// Repeats the report, which is safe, until the server has an answer: for about two minutes.
const settle = async (id, report) => {
  for (let tries = 1; tries <= 10; tries++) {
    const { status, json } = await call("PATCH", `/task/${id}`, report);
    console.log(`settle ${status}`);
    if (status < 500 && status !== 429) {
      if (status !== 200) console.error(`task ${id}: ${json.detail}`);
      return;
    }
    await pause(tries);
  }
  console.error(`task ${id}: no answer to 10 reports, so its lease expires and it runs again`);
};

const run = async (task) => {
  const { id, epoch } = task;
  let beating = false;
  const heartbeat = setInterval(async () => {
    if (beating) return; // The last one has no answer yet.
    beating = true;
    const { status } = await call("POST", `/task/${id}/heartbeat`, { epoch, lease });
    beating = false;
    console.log(`heartbeat ${status}`);
    if (status === 409) clearInterval(heartbeat); // This worker no longer holds the task.
  }, Number(seconds) * 250);
  let outcome;
  try {
    outcome = { status: "Success", result: await work(task) };
  } catch (error) {
    outcome = { status: "Failure", failure_reason: `${error}` };
  }
  await settle(id, { epoch, ...outcome });
  clearInterval(heartbeat);
};

for (;;) {
  const claim = { worker: `node-${process.pid}`, kinds: [kind], lease, wait: "30s" };
  const { status, json } = await call("POST", "/task/claim", claim);
  console.log(status === 200 ? `claimed ${json.length}` : `claim ${status}`);
  if (status === 200) await Promise.all(json.map(run));
  else await pause(3);
}
