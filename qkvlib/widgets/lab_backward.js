/** @param {Setup} setup */
function makeWalk(setup) {
  const box = make("div", { class: "lab-walk" });
  return {
    box,
    /** @param {string} name */ found: (name) => false,
    result: () => "",
    /** @param {Book} book @param {Place|null} place @returns {{place: Place}|null} */ stage: (book, place) => null,
    /** @param {Book} book */ show(book) {},
    /** @param {() => void} then */ moved(then) {},
  };
}
