/**
 * A drawing in space swallows the wheel and the finger that would scroll the page. So neither reaches
 * it before it is clicked. It goes back to sleep when the mouse leaves it, or at a click elsewhere.
 */
const SCENE = ".js-plotly-plot:has(.gl-container canvas)";
const AWAKE = "2px solid var(--jp-brand-color1)";

let awake = null;

const sceneOf = ({ target }) => (target instanceof Element ? target.closest(SCENE) : null);

function wake(scene) {
  if (scene === awake) return;
  if (awake) awake.style.outline = "";
  if (scene) Object.assign(scene.style, { outline: AWAKE, outlineOffset: "-2px" });
  awake = scene;
}

function letPass(event) {
  const scene = sceneOf(event);
  if (scene && scene !== awake) event.stopPropagation(); // the page scrolls by itself
}

function activate() {
  const early = { capture: true, passive: true };
  for (const kind of ["wheel", "touchstart", "touchmove"])
    window.addEventListener(kind, letPass, early);
  window.addEventListener("click", (event) => wake(sceneOf(event)), early);
  const leave = (event) => event.pointerType === "mouse" && sceneOf(event) !== awake && wake(null);
  window.addEventListener("pointerover", leave, early);
}

const scenes = {
  id: "qkvlib-scenes:plugin",
  description: "Lets the page scroll under a drawing in space until that is clicked.",
  autoStart: true,
  activate,
};

window._JUPYTERLAB = window._JUPYTERLAB || {};
window._JUPYTERLAB["qkvlib-scenes"] = {
  init: () => undefined, // it shares no modules with anybody
  get: async () => () => ({ __esModule: true, default: scenes }),
};
