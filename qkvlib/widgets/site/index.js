/* What a page of the site does by script; without it text, formulas and still pictures stand. */

import { closeMeanings, offerThemes, reachScrollers } from "./frame.js";
import { showProgress } from "./map.js";
import { guardOutcomes } from "./predictions.js";
import { wakeWidgets } from "./wake.js";

offerThemes();
guardOutcomes();
showProgress();
reachScrollers();
closeMeanings();
wakeWidgets();
