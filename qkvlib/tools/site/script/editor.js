/* The editor of an exercise: CodeMirror with Python's colours, and a Tab key that can leave it. */

import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import {
  HighlightStyle,
  indentOnInput,
  indentUnit,
  LanguageSupport,
  syntaxHighlighting,
} from "@codemirror/language";
import { EditorState, Prec, RangeSetBuilder } from "@codemirror/state";
import { Decoration, EditorView, keymap } from "@codemirror/view";
import { styleTags, tags } from "@lezer/highlight";

// A function's docstring has a different colour from other strings, as in the stub.
const PYTHON = pythonLanguage.configure({
  props: [styleTags({ "Body/ExpressionStatement/String": tags.docString })],
});

// As the page's other code, which has elements for these (`lighter.py`).
const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.bool, tags.null, tags.operatorKeyword], fontWeight: "650" },
  { tag: [tags.comment, tags.docString], fontStyle: "italic", color: "var(--page-soft)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--page-good)" },
]);

const LOOK = EditorView.theme({
  "&.cm-focused": { outline: "none" }, // its frame shows the focus
  ".cm-scroller": { font: "inherit", lineHeight: "inherit", overflow: "visible" },
  ".cm-content": { padding: "0", caretColor: "var(--page-ink)" },
  ".cm-line": { padding: "0" },
});

/**
 * Make an editor in an element.
 * @param {HTMLElement} place
 * @param {string} text
 * @param {Record<string, string>} attributes  of the field itself
 * @param {{ changed: (text: string) => void, check: () => void }} told
 */
export function makeEditor(place, text, attributes, told) {
  const check = () => {
    told.check();
    return true;
  };
  const view = new EditorView({
    parent: place,
    state: EditorState.create({
      doc: text,
      extensions: [
        Prec.highest(
          keymap.of([
            { key: "Mod-Enter", run: check },
            { key: "Shift-Enter", run: check },
          ]),
        ),
        lettingOut(),
        history(),
        indentUnit.of("    "),
        EditorState.tabSize.of(4),
        indentOnInput(),
        keymap.of([indentWithTab, ...defaultKeymap, ...historyKeymap]),
        new LanguageSupport(PYTHON),
        syntaxHighlighting(COLOURS),
        EditorView.lineWrapping,
        EditorView.decorations.of(hanging),
        EditorView.contentAttributes.of(attributes),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) told.changed(update.state.doc.toString());
        }),
        LOOK,
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    focus: () => view.focus(),
    /** Replace the text; Undo restores it. @param {string} other */
    replace(other) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: other },
        annotations: isolateHistory.of("full"),
      });
    },
  };
}

/**
 * Mark on each line how far it is indented; the page's style indents the rest of a broken line by
 * the same amount.
 * @param {EditorView} view
 */
function hanging({ state, visibleRanges }) {
  /** @type {RangeSetBuilder<Decoration>} */
  const builder = new RangeSetBuilder();
  for (const { from, to } of visibleRanges)
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at);
      const style = `--in: ${line.text.search(/[^ ]|$/)}`;
      builder.add(line.from, line.from, Decoration.line({ attributes: { style } }));
      at = line.to + 1;
    }
  return builder.finish();
}

/** After Escape, Tab moves on to the next element, until another key is pressed. */
function lettingOut() {
  return Prec.highest(
    EditorView.domEventHandlers({
      keydown({ key }, view) {
        if (key === "Escape") view.setTabFocusMode(true);
        else if (key !== "Tab" && key !== "Shift") view.setTabFocusMode(false);
        return false;
      },
      blur(_, view) {
        view.setTabFocusMode(false);
      },
    }),
  );
}
