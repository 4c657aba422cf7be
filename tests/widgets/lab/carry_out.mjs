// Carries out a script of requests for each line of JSON, with the lab that lives in the page: the
// state after each of them comes out, with the sum by which Python knows it. The folder of the widgets' sources is the first argument.
import { createInterface } from "node:readline";
import { read, write } from "../bytes.mjs";

const { makeLocal } = await import(`${process.argv[2]}/lab/local.js`);

for await (const line of createInterface({ input: process.stdin })) {
  const { setup, state, requests } = JSON.parse(line, read);
  const local = makeLocal(setup, state);
  const states = requests.map((request) =>
    local.can(request) ? { ...local.carryOut(request), sum: local.sum() } : false,
  );
  console.log(JSON.stringify(states, write));
}
