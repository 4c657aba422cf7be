/* What a page of the site does by script; without it text, formulas and still pictures stand. */

import { keepAnswers } from "./answers.js";
import { closeMeanings, offerThemes, tellAddress, tellWhatIsKept } from "./frame.js";
import { showProgress } from "./map.js";
import { wakeExercises } from "./near.js";
import { guardOutcomes } from "./predictions.js";
import { offerProgress } from "./progress.js";
import { tellQuiz } from "./quiz.js";
import { reachScrollers, restWhatIsFar } from "./scrollers.js";
import { wakeFirst, wakeOthers } from "./wake.js";

const first = wakeFirst();
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", wakePage);
else wakePage();

function wakePage() {
  offerThemes();
  guardOutcomes();
  showProgress();
  offerProgress(showProgress);
  keepAnswers();
  tellQuiz().catch(console.error);
  reachScrollers();
  restWhatIsFar();
  tellAddress();
  tellWhatIsKept();
  closeMeanings();
  wakeOthers(first);
  wakeExercises();
}
