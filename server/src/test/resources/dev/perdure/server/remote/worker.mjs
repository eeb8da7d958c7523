// A worker in Node.js. Usage: node worker.mjs http://127.0.0.1:8085 resize-image [milliseconds of work]
const [, , url, kind, workMillis = "100"] = process.argv;

const call = async (method, path, body) => {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, json: await response.json() };
};

const work = (task) =>
  new Promise((resolve) => setTimeout(() => resolve({ size: task.payload }), Number(workMillis)));

const run = async (task) => {
  const { id, epoch } = task;
  const heartbeat = setInterval(async () => {
    const { status } = await call("POST", `/task/${id}/heartbeat`, { epoch, lease: "8s" });
    console.log(`heartbeat ${status}`);
    if (status === 409) clearInterval(heartbeat); // This worker no longer holds the task.
  }, 2000);
  try {
    const result = await work(task);
    await call("PATCH", `/task/${id}`, { epoch, status: "Success", result });
  } catch (error) {
    await call("PATCH", `/task/${id}`, { epoch, status: "Failure", failure_reason: `${error}` });
  } finally {
    clearInterval(heartbeat);
  }
};

for (;;) {
  const claim = { worker: `node-${process.pid}`, kinds: [kind], lease: "8s", wait: "30s" };
  const { status, json } = await call("POST", "/task/claim", claim);
  console.log(`claimed ${json.length}`);
  if (status === 200) await Promise.all(json.map(run));
  else await new Promise((resolve) => setTimeout(resolve, 1000));
}
