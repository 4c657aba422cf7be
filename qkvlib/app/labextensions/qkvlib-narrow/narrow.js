/**
 * In a window of less than 1200 pixels JupyterLab's sidebar takes the room that a lesson's widgets
 * need: so it is closed when the page opens. Ctrl+B opens it again, and then it stays.
 *
 * JupyterLab asks for extensions in the form that webpack gives them. One this small is written out.
 */
const narrow = {
  id: "qkvlib-narrow:plugin",
  description: "Closes the sidebar of a narrow window.",
  autoStart: true,
  activate: (app) => {
    // Not returned: the page is restored only when all extensions are there.
    app.restored.then(() => window.innerWidth < 1200 && app.shell.collapseLeft());
  },
};

window._JUPYTERLAB = window._JUPYTERLAB || {};
window._JUPYTERLAB["qkvlib-narrow"] = {
  init: () => undefined, // it shares no modules with anybody
  get: async () => () => ({ __esModule: true, default: narrow }),
};
