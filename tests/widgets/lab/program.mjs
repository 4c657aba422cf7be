// Run a script of requests for each line of JSON, with the page's own lab: write for each request
// what Python receives, and the state of the page. The folder of the widgets' sources is the first
// argument.
import { createInterface } from "node:readline";

const { makeProgram } = await import(`${process.argv[2]}/lab/program.js`);
const { passOf } = await import(`${process.argv[2]}/lab/pass.js`);

const plain = (one) => (Array.isArray(one) ? one.map(plain) : [...(one?.numbers ?? [])]);

for await (const line of createInterface({ input: process.stdin })) {
  const { setup, state, requests } = JSON.parse(line);
  const program = makeProgram(setup, state);
  let known = program.adopt(state, {});
  const told = requests.map((request) => {
    const { goal, loss, note, ...now } = program.carryOut(request);
    const rest = program.rest(known);
    known = { ...now, goal };
    const { found } = passOf(setup, known);
    const names = Object.keys(setup.sizes).filter((name) => found[name]);
    const numbers = Object.fromEntries(names.map((name) => [name, plain(found[name])]));
    return { rest, numbers, goal, loss, note, undo: now.undo };
  });
  console.log(JSON.stringify(told));
}
