/*
 * Stand in for the worker with Python, behind the real owner: run no Python, and judge by the words
 * of a text.
 */

const MEGABYTE = 1e6;
const pause = () => new Promise((done) => setTimeout(done, 60));

async function start() {
  for (const loaded of [0, 2]) {
    postMessage({ loading: { loaded: loaded * MEGABYTE, total: 4 * MEGABYTE } });
    await pause();
  }
  postMessage({ loading: { loaded: 0, total: 0 } });
  await pause();
  postMessage({ ready: true });
}

function outcomeOf(text) {
  if (text.includes("raise NotImplementedError")) return "not attempted";
  return text.includes("sum") ? "right" : "wrong";
}

/** Return a record that also contains anything a hostile answer could make of a verdict. */
function check({ name, sources }) {
  const [last, text] = sources.at(-1);
  const outcome = outcomeOf(text);
  const html =
    `<div style="border-left: 5px solid #0f7a2e; padding: 4px 12px"><div>${name}: ${outcome}</div>` +
    `<p onclick="alert(1)">In words.</p><script>alert(2)</script>` +
    `<img src="https://x.example/y"><details><summary>Hint 1 of 3</summary></details>` +
    `<table style="background: url(https://x.example/z)"><tr><th scope="row">got</th>` +
    `<td><pre>${sources.map(([each]) => each)}, last ${last}</pre></td></tr></table></div>`;
  const mistake = text.includes("return a * b") ? "No_Sum" : null;
  const printed = text.includes("print") ? "seen <b>\n" : "";
  return { outcome, html, hints: [], printed, mistake };
}

onmessage = ({ data }) => {
  if (data.start) start();
  else if (JSON.stringify(data.check).includes("explode")) postMessage({ broken: "out of memory" });
  else postMessage({ verdict: check(data.check) });
};
