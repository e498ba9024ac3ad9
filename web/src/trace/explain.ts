/** What is looked at, in words: they stand in one place, so that nothing covers the values around it. */

import { h, plural } from "../dom";
import { label, show, spelled, valueAt, type Selected, type Trace } from "./data";
import type { Line } from "./view";

const MOST = 12;

export function explainValue(trace: Trace, selected: Selected[], line: Line, position: number): Node[] {
  const parts = line.selector === null ? ofValue(trace, selected, line, position) : ofSelector(selected[line.selector], line, position);
  const library = line.via && trace.library[line.via];
  return library ? [...parts, h("pre", { class: "library" }, library)] : parts;
}

/** One square of a selector's picture. */
export function explainPair(trace: Trace, selected: Selected, number: number, query: number, key: number): Node[] {
  const { keys, queries, types, named, label: what } = trace.selectors[number];
  return [
    h("p", {}, h("b", {}, `position ${query}`), selected.has(query, key) ? " looks at " : " does not look at ", h("b", {}, `position ${key}`), soft(what)),
    h("p", {}, `The query is ${spelled(trace, queries[query], types[1], named[1])}, the key ${spelled(trace, keys[key], types[0], named[0])}.`),
  ];
}

function ofSelector(selected: Selected, line: Line, position: number): Node[] {
  const keys = selected.keys(position);
  return [h("p", {}, h("b", {}, `position ${position}`), keys.length ? ` looks at ${places(keys)}` : " finds nothing to look at", soft(line.name)),
    h("p", {}, "The numbers of this row say how many positions are selected.")];
}

function ofValue(trace: Trace, selected: Selected[], line: Line, position: number): Node[] {
  const { row } = line;
  const value = spelled(trace, line.values?.[position], line.type, row?.named ?? false);
  const parts: Node[] = [
    h("p", {}, h("b", {}, row ? line.name : "step"), ` at position ${position} is `, h("b", { class: "value" }, value), soft(row ? source(trace, row.line) : line.name)),
  ];
  for (const [selector, , isDirect] of row?.heads ?? []) {
    const keys = selected[selector].keys(position);
    const what = keys.length ? `looks at ${places(keys)}` : "finds nothing, and takes the default";
    parts.push(h("p", { class: isDirect ? "head" : "head way" }, `${isDirect ? "Its head" : "On the way, a head"} ${what}`, soft(trace.selectors[selector].label)));
  }
  const here = row?.here ?? [];
  if (here.length) {
    const read = here.map((other) => {
      const at = valueAt(trace, other, position);
      return `${trace.rows[other].name} = ${at === undefined ? show(null) : label(trace, at, trace.rows[other].named)}`;
    });
    parts.push(h("p", { class: "read" }, "Here it reads", soft(read.join(", "))));
  }
  return parts;
}

function places(keys: number[]): string {
  const few = keys.slice(0, MOST).join(", ") + (keys.length > MOST ? ", …" : "");
  return `${plural(keys.length, "position")}: ${few}`;
}

function source(trace: Trace, line: number): string {
  return (trace.listing.find(([number]) => number === line)?.[1] ?? "").trim();
}

const soft = (text: string): HTMLElement => h("span", { class: "soft" }, ` ${text}`);
