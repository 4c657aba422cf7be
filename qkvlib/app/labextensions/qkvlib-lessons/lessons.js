/**
 * What JupyterLab does otherwise in a lesson.
 *
 * JupyterLab asks for extensions in the form that webpack gives them. One this small is written out.
 */

/**
 * In a narrower window a lesson's widgets need the room of the sidebar. Ctrl+B opens it again, and
 * then it stays.
 */
const NARROW = 1200; // pixels

/**
 * A click in the margin beside an output makes JupyterLab scroll it within 300 pixels, and keep that. A
 * widget is in no such letterbox: beside one, the margin does nothing.
 */
const OVERLAY = ".jp-OutputArea:has(.qkv) .jp-OutputArea-promptOverlay { display: none; }";

/**
 * While cells run, outputs above the reader grow. JupyterLab holds the active cell still, and if that is out
 * of sight, nothing: the page moves under the reader. So the browser holds whatever is in view, as on any page.
 */
const ANCHORS = ".jp-Notebook .jp-Cell { overflow-anchor: auto; }";

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

function followScenes() {
  const early = { capture: true, passive: true };
  for (const kind of ["wheel", "touchstart", "touchmove"]) window.addEventListener(kind, letPass, early);
  window.addEventListener("click", (event) => wake(sceneOf(event)), early);
  const leave = (event) => event.pointerType === "mouse" && sceneOf(event) !== awake && wake(null);
  window.addEventListener("pointerover", leave, early);
}

const lessons = {
  id: "qkvlib-lessons:plugin",
  description: "Makes room for widgets, and lets the page scroll under a drawing in space.",
  autoStart: true,
  activate(app) {
    // Not returned: the page is restored only when all extensions are there.
    app.restored.then(() => window.innerWidth < NARROW && app.shell.collapseLeft());
    const style = document.createElement("style");
    style.textContent = OVERLAY + ANCHORS;
    document.head.append(style);
    followScenes();
  },
};

window._JUPYTERLAB = window._JUPYTERLAB || {};
window._JUPYTERLAB["qkvlib-lessons"] = {
  init: () => undefined, // it shares no modules with anybody
  get: async () => () => ({ __esModule: true, default: lessons }),
};
