/*
 * JupyterLab saves only the widgets that its kernel knows. After a restart these are none, and a page
 * that was saved and loaded again would say "model not found" for each. So what is shown is saved, too.
 */

const ALIVE = { comm_live: { value: true } };

/** What stands in the notebook and no kernel knows; a model's layout is a model of its own. @param {any[]} models */
const orphans = (models) =>
  models
    .filter(({ comm_live, views }) => !comm_live && Object.keys(views ?? {}).length)
    .filter((model) => model.get("layout"))
    .flatMap((model) => [model, model.get("layout")]);

/** @param {any} manager  of JupyterLab's widgets */
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
