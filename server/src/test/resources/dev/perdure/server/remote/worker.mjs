// A worker in Node: node worker.mjs http://127.0.0.1:8085 resize-image [milliseconds of work]
const [, , url, kind, work = "100"] = process.argv;

const call = async (method, path, body) => {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  return { status: answer.status, json: await answer.json() };
};

const done = (task) =>
  new Promise((resolve) => setTimeout(() => resolve({ size: task.payload }), Number(work)));

const attempt = async (task) => {
  const { id, epoch } = task;
  const beat = setInterval(async () => {
    const { status } = await call("POST", `/task/${id}/heartbeat`, { epoch, lease: "8s" });
    console.log(`heartbeat ${status}`);
    if (status === 409) clearInterval(beat); // The task is no longer ours.
  }, 2000);
  try {
    const result = await done(task);
    await call("PATCH", `/task/${id}`, { epoch, status: "Success", result });
  } catch (error) {
    await call("PATCH", `/task/${id}`, { epoch, status: "Failure", failure_reason: `${error}` });
  } finally {
    clearInterval(beat);
  }
};

for (;;) {
  const asked = { worker: `node-${process.pid}`, kinds: [kind], lease: "8s", wait: "30s" };
  const { status, json } = await call("POST", "/task/claim", asked);
  console.log(`claimed ${json.length}`);
  if (status === 200) await Promise.all(json.map(attempt));
  else await new Promise((resolve) => setTimeout(resolve, 1000));
}
