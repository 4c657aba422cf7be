/*
 * Check answers in this page, with a worker in which Python runs: `open(addresses)`, then
 * `await checker.check(name, sources, tell)`. The worker starts with the first check.
 */

/** @import { Tell } from "./files.js" */
/** @import { Verdict } from "./python.js" */
/** @typedef {{run: number, seconds: number, printed: string, error: string}} Stop */
/** @typedef {Record<string, string>} Addresses  of the worker's script, as `worker`, and of its files */

const ELSE = "All else on the page works, and in JupyterLab everything does.";
const CANNOT = `This browser cannot run Python in a page, so nothing is checked here. ${ELSE}`;
const AWAY =
  "Python could not be loaded into this page. Are you connected? Check once more when you are; " +
  "all else on the page works until then.";
const GAVE_UP =
  "Python in this page could not go on: it was asked for more memory than a page has, or went deeper " +
  "than a page can";
const SILENCE = 60; // seconds: if memory is short, some browsers end a worker without telling us
const MOST_STOPS = 20; // in one check; more than this is not a learner's loop

/** @param {Addresses} addresses */
export function open(addresses) {
  /** @type {Promise<Running> | null} */
  let running = null;
  /** The runs that were stopped before, by the texts up to them. @type {Map<string, Stop>} */
  const stops = new Map();
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();

  /** @param {[string, string][]} sources */
  const stopsOf = (sources) => {
    /** @type {Record<string, Stop>} */
    const found = {};
    sources.forEach(([name], i) => {
      const stop = stops.get(textsTo(sources, i));
      if (stop) found[name] = stop;
    });
    return found;
  };

  /** @param {string} name @param {[string, string][]} sources @param {Tell} tell @returns {Promise<Verdict>} */
  async function checked(name, sources, tell) {
    for (let tries = 0; tries < MOST_STOPS; tries++) {
      running ??= start(addresses, tell);
      /** @type {Running} */
      let python;
      try {
        python = await running;
      } catch (error) {
        running = null; // the network may be back at the next check
        throw error;
      }
      const came = await python.ask({ name, sources, stops: stopsOf(sources) });
      if ("verdict" in came) return came.verdict;
      running = start(addresses, () => {}); // a new one, ready in a second
      running.catch(() => {}); // the next check reports it
      if (!came.stop) break;
      const place = sources.findIndex(([exercise]) => exercise === came.stop?.exercise);
      stops.set(textsTo(sources, place), came.stop.stop);
    }
    throw new Error(`${GAVE_UP}. Check once more; in JupyterLab it may go on.`);
  }

  return {
    /**
     * Return the verdict on an exercise; `sources` are the texts of the lesson's exercises up to it.
     * `tell` hears how far Python has come, if this check starts it.
     * @param {string} name @param {[string, string][]} sources @param {Tell} [tell]
     * @returns {Promise<Verdict>}
     */
    check(name, sources, tell = () => {}) {
      // Some readers switch it off: a telephone's lockdown mode does.
      if (typeof WebAssembly !== "object") return Promise.reject(new Error(CANNOT));
      const verdict = last.then(() => checked(name, sources, tell));
      last = verdict.catch(() => {});
      return verdict;
    },
  };
}

/** @param {[string, string][]} sources @param {number} last */
const textsTo = (sources, last) => JSON.stringify(sources.slice(0, last + 1));

/** @typedef {{verdict: Verdict} | {stop: {exercise: string, stop: Stop} | null}} Answer */
/** @typedef {{ask: (question: object) => Promise<Answer>}} Running */

/**
 * Start a worker, and return it once Python is ready in it.
 * @param {Addresses} addresses @param {Tell} tell @returns {Promise<Running>}
 */
function start(addresses, tell) {
  return new Promise((ready, failed) => {
    const worker = new Worker(addresses.worker, { type: "module" });
    const end = (/** @type {string} */ why) => {
      clearTimeout(patience);
      worker.terminate();
      failed(new Error(why));
    };
    let patience = setTimeout(end, SILENCE * 1000, AWAY);
    worker.onerror = async (event) => {
      event.preventDefault();
      // A browser does not say whether the script could not be loaded, or could not be run.
      end((await isThere(addresses.worker)) ? CANNOT : AWAY);
    };
    worker.onmessage = ({ data }) => {
      clearTimeout(patience);
      if (data.loading) {
        // Once nothing is counted any more, all files are here.
        patience = setTimeout(end, SILENCE * 1000, data.loading.total ? AWAY : CANNOT);
        tell(data.loading);
      } else if (data.away) end(AWAY);
      else if (data.broken) end(`Python could not be started in this page (${data.broken}). ${ELSE}`);
      else if (data.ready) ready({ ask: (question) => ask(worker, question) });
    };
    worker.postMessage({ start: whole(addresses) });
  });
}

/** @param {string} address */
const isThere = (address) =>
  fetch(address).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * A worker resolves addresses relative to its own script, so it gets absolute ones.
 * @param {Addresses} addresses
 */
function whole({ worker: _, ...files }) {
  return Object.fromEntries(
    Object.entries(files).map(([name, address]) => [name, new URL(address, document.baseURI).href]),
  );
}

/**
 * Ask one question. If a learner's code takes too long, or Python breaks, end the worker, and
 * answer with the number of the run.
 * @param {Worker} worker @param {object} question @returns {Promise<Answer>}
 */
function ask(worker, question) {
  return new Promise((answered) => {
    let printed = "";
    /** @type {{exercise: string, run: number, seconds: number} | null} */
    let under = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let clock;
    /** @param {number} seconds @param {string} error */
    const wait = (seconds, error) => {
      clearTimeout(clock);
      clock = setTimeout(end, seconds * 1000, error);
    };
    /** @param {string} error */
    const end = (error) => {
      clearTimeout(clock);
      worker.terminate();
      if (!under) return answered({ stop: null });
      const { exercise, run, seconds } = under;
      return answered({ stop: { exercise, stop: { run, seconds, printed, error } } });
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end(GAVE_UP);
    };
    worker.onmessage = ({ data }) => {
      if (data.begins) {
        under = data.begins;
        printed = "";
        wait(data.begins.seconds, "");
      } else if (data.printed) printed += data.printed;
      else if (data.ends) {
        under = null;
        wait(SILENCE, GAVE_UP);
      } else if (data.verdict) {
        clearTimeout(clock);
        answered({ verdict: data.verdict });
      } else if (data.broken) end(GAVE_UP);
    };
    wait(SILENCE, GAVE_UP);
    worker.postMessage({ check: question });
  });
}
