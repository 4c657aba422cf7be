/**
 * A click in the margin beside an output makes JupyterLab scroll it within 300 pixels, and keep that. A
 * widget is in no such letterbox: beside one, the margin does nothing.
 */
const OVERLAY = ".jp-OutputArea:has(.qkv) .jp-OutputArea-promptOverlay { display: none; }";

function activate() {
  const style = document.createElement("style");
  style.textContent = OVERLAY;
  document.head.append(style);
}

const margin = {
  id: "qkvlib-margin:plugin",
  description: "Keeps a click in the margin from shutting a widget in a letterbox.",
  autoStart: true,
  activate,
};

window._JUPYTERLAB = window._JUPYTERLAB || {};
window._JUPYTERLAB["qkvlib-margin"] = {
  init: () => undefined, // it shares no modules with anybody
  get: async () => () => ({ __esModule: true, default: margin }),
};
