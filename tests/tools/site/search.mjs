// Answers each line, {entries} first and then what somebody types, with the titles that are found.
import { createInterface } from "node:readline";
import { makeSearch } from "../../../qkvlib/tools/site/script/search.js";

let search;
for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  if (typeof told !== "string") search = makeSearch(told.entries);
  const found = typeof told === "string" ? search(told) : [];
  console.log(JSON.stringify(found.map(([kind, title]) => [kind, title])));
}
