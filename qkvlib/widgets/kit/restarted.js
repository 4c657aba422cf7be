/*
 * JupyterLab saves only the widgets that its kernel knows. After a restart it knows none, and a saved
 * page, loaded again, would say "model not found" for each. So we also save the widgets on the page.
 */

const ALIVE = { comm_live: { value: true } };

/**
 * Return the models that are in the notebook but that no kernel knows, layouts included (a layout is
 * a separate model). @param {any[]} models
 */
const orphans = (models) =>
  models
    .filter(({ comm_live, views }) => !comm_live && Object.keys(views ?? {}).length)
    .filter((model) => model.get("layout"))
    .flatMap((model) => [model, model.get("layout")]);

/** Make JupyterLab save the widgets on the page. @param {any} manager  of JupyterLab's widgets */
export function keepShown(manager) {
  const save = manager.get_state_sync;
  manager.get_state_sync = (/** @type {any[]} */ ...given) => {
    const known = manager._modelsSync;
    const lost = orphans([...known.values()]);
    const shown = [...known].filter(([_, model]) => model.comm_live || lost.includes(model));
    manager._modelsSync = new Map(shown.map(([id, model]) => [id, Object.create(model, ALIVE)]));
    try {
      return save.apply(manager, given);
    } finally {
      manager._modelsSync = known;
    }
  };
}
