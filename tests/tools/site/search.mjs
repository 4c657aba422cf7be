// Read {entries} from the first line, and a search text from each other one; write the titles found.
import { createInterface } from "node:readline";
import { makeSearch } from "../../../qkvlib/tools/site/script/search.js";

let search;
for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  if (typeof told !== "string") search = makeSearch(told.entries);
  const found = typeof told === "string" ? search(told) : [];
  console.log(JSON.stringify(found.map(([kind, title]) => [kind, title])));
}
