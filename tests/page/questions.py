"""Scripts that check a picture in the page: each is a function of the widget's root element."""

from __future__ import annotations

# How much of a picture of heads is below the edge of its frame, or of a lab's words below their box.
BELOW = """(root) => Math.max(0, ...[...root.querySelectorAll(".heads-frame, .lab-line")]
  .map((frame) => frame.scrollHeight - frame.clientHeight))"""

# The elements that are wider than the widget, or have to be scrolled sideways.
WIDER = """(root) => {
  const most = root.getBoundingClientRect().right + 1;
  const scrolled = [...root.querySelectorAll("*")].filter((one) =>
    one.scrollWidth > one.clientWidth + 1 &&
    ["auto", "scroll"].includes(getComputedStyle(one).overflowX));
  const outside = [...root.querySelectorAll("*")].filter((one) =>
    one.checkVisibility() && !one.closest("select, svg *") &&
    one.getBoundingClientRect().right > most);
  return [...scrolled, ...outside].map((one) => one.getAttribute("class") ?? one.tagName);
}"""

# Numbers smaller than twelve pixels.
SMALL = """(root) => {
  const found = new Set();
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { textContent, parentElement } = texts.currentNode;
    const { a, b } = parentElement.getScreenCTM?.() ?? { a: 1, b: 0 }; // a drawing can be small
    const size = parseFloat(getComputedStyle(parentElement).fontSize) * Math.hypot(a, b);
    const shown = parentElement.checkVisibility({ visibilityProperty: true });
    const asked = /\\d/.test(textContent) || parentElement.closest(".lab-name, .lab-says");
    if (asked && shown && size < 11.9 && !parentElement.closest("sub, sup"))
      found.add(`${textContent.trim().slice(0, 20)}: ${size}px`);
  }
  return [...found];
}"""

# The elements outside what can be seen or scrolled to, and words that are cut off.
LOST = """(root) => {
  const name = (one) =>
    `${one.getAttribute("class") ?? one.tagName}: ${one.textContent.slice(0, 60)}`;
  const scrolls = (one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowX);
  const edge = (one) => {
    for (let box = one.parentElement; box && box !== root.parentElement; box = box.parentElement)
      if (scrolls(box)) {
        const { left, right } = box.getBoundingClientRect();
        return Math.max(right, left + box.scrollWidth - box.scrollLeft);
      }
    return root.getBoundingClientRect().right;
  };
  const all = [...root.querySelectorAll("*")].filter((one) =>
    one.checkVisibility({ visibilityProperty: true }) &&
    !one.closest("select, svg *, .qkv-spoken, .qkv-goal-heard"));
  const outside = all.filter((one) => one.getBoundingClientRect().right > edge(one) + 1);
  const cut = all.filter((one) => one.childElementCount === 0 && one.clientWidth &&
    getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 2);
  return [...outside, ...cut].map(name);
}"""

# Every text whose contrast with its background is below WCAG's 4.5, or 3 if it is large. On a
# hatched background the worse of the two colours counts. Text that is faint on purpose, because it is
# disabled or not highlighted, is left out.
HARD_TO_READ = """(root) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const channels = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = ([r, g, b, a], below) =>
    [r, g, b].map((channel, k) => channel * a + below[k] * (1 - a)).concat(1);
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((c) =>
      c / 255 <= 0.04045 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const outside = (element) => element.parentElement ?? element.getRootNode().host;
  const grounds = (element) => {
    if (!element) return [[255, 255, 255, 1]];
    const style = getComputedStyle(element);
    const stripes = style.backgroundImage.match(/(rgba?|color)\\([^)]*\\)/g) ?? [];
    const own = [style.backgroundColor, ...stripes].map(channels);
    const solid = stripes.length && stripes.every((stripe) => channels(stripe)[3] === 1);
    const covers = own[0][3] === 1;
    const below = covers ? [[0, 0, 0, 1]] : grounds(outside(element));
    const first = below.map((ground) => over(own[0], ground));
    const striped = first.flatMap((ground) => own.slice(1).map((stripe) => over(stripe, ground)));
    return solid ? striped : [...first, ...striped];
  };
  const dimmed = (element) =>
    element && (Number(getComputedStyle(element).opacity) < 0.99 || dimmed(element.parentElement));
  const found = new Set();
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent.trim();
    const element = texts.currentNode.parentElement;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const seen = text && box.width > 1 && box.height > 1 && style.visibility === "visible";
    if (!seen || dimmed(element) || element.closest(":disabled, option, .qkv-spoken")) continue;
    const ink = channels(element.closest("svg") ? style.fill : style.color);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 600);
    for (const ground of grounds(element)) {
      const ratio = contrast(over(ink, ground), ground);
      if (ratio < (large ? 3 : 4.5)) found.add(`${text.slice(0, 30)}: ${ratio.toFixed(2)}`);
    }
  }
  return [...found];
}"""

# Behind each text with forced colours the browser puts a plate of the page's colour. Letters to
# which a widget gives that same colour would be invisible on it.
ON_ITS_OWN_PLATE = """(root) => {
  const plate = document.createElement("i");
  plate.style.color = "Canvas";
  root.append(plate);
  const lost = [...root.querySelectorAll("*")].filter((one) => {
    const { color, forcedColorAdjust } = getComputedStyle(one);
    return one !== plate && one.checkVisibility() && !one.closest("svg, :disabled") &&
      forcedColorAdjust !== "none" && color === getComputedStyle(plate).color;
  });
  plate.remove();
  return lost.map((one) => one.outerHTML.slice(0, 80));
}"""

# In a lab's walk: a step that extends below its box, and captions that overlap.
WALK = """(root) => {
  if (root.dataset.view !== "backward") return [];
  const bottom = (part) => part.getBoundingClientRect().bottom;
  const lowest = Math.max(...[...root.querySelectorAll(".lab-walk > *, .lab-picture")].map(bottom));
  const captions = [...root.querySelectorAll(".lab-mini-title")].map((caption) => {
    const range = document.createRange();
    range.selectNodeContents(caption);
    return range.getBoundingClientRect();
  });
  const met = captions.filter((a, i) => captions.some((b, k) => k > i &&
    Math.min(a.right, b.right) > Math.max(a.left, b.left) &&
    Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top) + 2));
  return [
    ...(lowest > bottom(root.querySelector(".lab-stage")) + 1 ? ["the step reaches below"] : []),
    ...met.map(() => "captions run into each other"),
  ];
}"""
