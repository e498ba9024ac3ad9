/** The editor. All it knows of the language it asks the server: diagnostics, completion, hover. */

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Mark } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers, type Tooltip } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { post, type Call, type Completions, type Diagnostic, type Fix, type Hover } from "./api";
import { h, prose } from "./dom";

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: [tags.comment, tags.docString], color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.function(tags.variableName), tags.function(tags.definition(tags.variableName))], color: "var(--code-function)" },
  { tag: tags.operator, color: "var(--soft)" },
]);

/** Lines and columns count from 1, columns in characters; the editor counts UTF-16 units from 0. */
function offset(text: Text, line: number, column: number): number {
  const found = text.line(Math.max(1, Math.min(line, text.lines)));
  const units = Array.from(found.text).slice(0, column - 1).join("").length;
  return line > text.lines ? text.length : Math.min(found.from + units, found.to);
}
function place(text: Text, at: number): { line: number; column: number } {
  const found = text.lineAt(at);
  return { line: found.number, column: Array.from(found.text.slice(0, at - found.from)).length + 1 };
}

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const { doc } = context.state;
  const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*/u);
  if (!context.explicit && !word) return null;
  const answer = await post<Completions>("complete", { text: doc.toString(), ...place(doc, context.pos) }).catch(() => null);
  if (!answer || context.aborted || !answer.items.length) return null;
  const { line } = place(doc, context.pos);
  return {
    from: offset(doc, line, answer.from),
    validFor: /^[\p{L}\p{N}_]*$/u,
    options: answer.items.map((item) => ({
      label: item.name,
      detail: item.signature.startsWith(item.name) ? item.signature.slice(item.name.length) : item.signature,
      type: { parameter: "variable", comparison: "function" }[item.kind] ?? item.kind,
      info: item.doc ? () => h("div", { class: "doc" }, ...documentation(item.doc)) : undefined,
    })),
  };
}

function documentation(doc: string): Node[] {
  const [first, ...rest] = doc.split("\n\n");
  return [h("p", {}, ...prose(first.replaceAll("\n", " "))), ...rest.map((part) => h("pre", {}, part.replaceAll(".tolist()", "")))];
}

const hovering = hoverTooltip(async (view, at): Promise<Tooltip | null> => {
  const { doc } = view.state;
  const where = place(doc, at);
  const answer = await post<Hover>("hover", { text: doc.toString(), ...where }).catch(() => null);
  const found = answer?.found;
  if (!found) return null;
  return {
    pos: offset(doc, where.line, found.from),
    end: offset(doc, where.line, found.to),
    above: true,
    create: () => {
      const typed = found.type ? `${found.name}: ${found.type}` : found.signature || found.name;
      const dom = h("div", { class: "hover" }, h("code", {}, typed));
      if (found.values) dom.append(h("p", {}, `values: ${found.values}`));
      if (found.doc && !found.type) dom.append(...documentation(found.doc));
      return { dom };
    },
  };
}, { hoverTime: 350 });

export interface EditorEvents { changed: (text: string) => void; call: (call: Call | null) => void; run: () => void }

export class Editor {
  readonly view: EditorView;
  private asked = 0;

  constructor(parent: HTMLElement, text: string, private readonly events: EditorEvents) {
    const listener = EditorView.updateListener.of((update) => {
      if (update.docChanged) events.changed(this.text);
      if (update.docChanged || update.selectionSet) this.askForCall();
    });
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(), history(), drawSelection(), indentOnInput(), indentUnit.of("    "), bracketMatching(), closeBrackets(),
          highlightActiveLine(), python(), syntaxHighlighting(colours), lintGutter(), hovering, listener,
          autocompletion({ override: [complete], icons: false }),
          keymap.of([
            { key: "Mod-Enter", run: () => { events.run(); return true; } },
            ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab,
          ]),
          EditorView.contentAttributes.of({ "aria-label": "Program", autocapitalize: "off", autocorrect: "off", spellcheck: "false" }),
        ],
      }),
    });
  }

  get text(): string { return this.view.state.doc.toString(); }
  set text(text: string) {
    if (text !== this.text) this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  /** Squiggles under what is wrong, each with its fixes. */
  mark(found: Diagnostic[]): void {
    const { doc } = this.view.state;
    const marks = found.map((each): Mark => {
      const from = offset(doc, each.line, each.column);
      const to = Math.max(from, offset(doc, each.end_line, each.end_column));
      return {
        from, to: to === from ? Math.min(doc.length, from + 1) : to,
        severity: each.severity, message: `${each.message}: ${each.instead}`,
        actions: each.fixes.map((fix) => ({ name: fix.title, apply: () => this.apply(fix) })),
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  apply(fix: Fix): void {
    const { doc } = this.view.state;
    this.view.dispatch({
      changes: fix.edits.map((edit) => ({
        from: offset(doc, edit.line, edit.column), to: offset(doc, edit.end_line, edit.end_column), insert: edit.text,
      })),
    });
    this.view.focus();
  }

  goTo(line: number, column: number): void {
    const at = offset(this.view.state.doc, line, column);
    this.view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    this.view.focus();
  }

  /** The call around the cursor; asked for when typing pauses. */
  private askForCall(): void {
    clearTimeout(this.asked);
    this.asked = window.setTimeout(async () => {
      const { doc, selection } = this.view.state;
      const before = doc.sliceString(Math.max(0, selection.main.head - 300), selection.main.head);
      if (!before.includes("(")) { this.events.call(null); return; }
      const where = place(doc, selection.main.head);
      const answer = await post<Completions>("complete", { text: doc.toString(), ...where }).catch(() => null);
      this.events.call(answer?.call ?? null);
    }, 200);
  }
}
