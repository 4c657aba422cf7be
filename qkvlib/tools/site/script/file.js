/* Download a file. */

/** @param {string} name @param {string} text @param {string} type */
export function takeAway(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
