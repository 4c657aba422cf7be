/*
 * Everything that a page of the site does by script. Without it there are text, formulas and still
 * pictures.
 */

import { keepAnswers } from "./answers.js";
import { offerSearch } from "./find.js";
import { closeMeanings, offerThemes, tellAddress, tellWhatIsKept } from "./frame.js";
import { showProgress } from "./map.js";
import { guardOutcomes } from "./predictions.js";
import { offerProgress } from "./progress.js";
import { tellQuiz } from "./quiz.js";
import { reachScrollers, restWhatIsFar } from "./scrollers.js";
import { wakeExercises, wakeFirst, wakeOthers } from "./wake.js";

const first = wakeFirst();
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", wakePage);
else wakePage();

function wakePage() {
  offerThemes();
  offerSearch();
  guardOutcomes();
  showProgress();
  offerProgress(showProgress);
  keepAnswers();
  tellQuiz().catch(console.error);
  reachScrollers();
  tellAddress();
  tellWhatIsKept();
  closeMeanings();
  wakeOthers(first);
  // Not earlier: a new page may jump to a part that is not rendered yet, and its layout would then
  // shift.
  addEventListener("scroll", restWhatIsFar, { once: true });
  wakeExercises();
}
