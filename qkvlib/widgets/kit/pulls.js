/* Draw the pull of the loss on a weight, as an arrow along its rail. */

/**
 * Return an arrow's outline; nothing if it would be too short for its head.
 * @param {number} x  where it begins @param {number} y @param {number} far  how far it points
 * @param {number} wing  half of its head's height
 */
export function arrowAt(x, y, far, wing) {
  if (Math.abs(far) < 1.5) return "";
  const tip = x + far;
  const neck = tip - Math.min(7, Math.abs(far)) * Math.sign(far);
  const half = wing * 0.3;
  const [from, to, end] = [x, neck, tip].map((place) => place.toFixed(1));
  return `M${from} ${y - half}H${to}V${y - wing}L${end} ${y}L${to} ${y + wing}V${y + half}H${from}Z`;
}
