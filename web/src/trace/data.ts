/** A trace as `raspl.trace.page.payload` makes it, and what its drawings ask of it. */

export type Value = number | null;

/** An operation inside of a library call; the last one of a row is the row itself. */
export interface Step { label: string; via: string; type: string; values: Value[] | null; selector: number | null }

export interface Row {
  name: string; type: string; line: number; values: Value[]; steps: Step[];
  /** Whether its values are tokens that have names. */
  named: boolean;
  /** The rows that it reads at its own position. */
  here: number[];
  /** Its heads: the selector, the rows read at its keys, and whether the value is what was fetched. */
  heads: [number, number[], boolean][];
}

export interface Selector {
  title: string; label: string; line: number; keys: Value[]; queries: Value[];
  types: string[]; named: boolean[]; bits: string;
}

export interface Trace {
  bits: number; length: number; prompt: number | null; tokens: Value[][]; names: Record<string, string>;
  rows: Row[]; selectors: Selector[]; grids: boolean; notes: string[]; error: string | null;
  listing: [number, string][]; library: Record<string, string>;
}

export const show = (value: Value): string => (value === null ? "·" : String(value));

export const nameOf = (trace: Trace, value: Value | undefined): string =>
  (value === null || value === undefined ? "" : trace.names[String(value)] ?? "");

/** A value in a table. Tokens have names; an index that happens to be the same number has none. */
export function label(trace: Trace, value: Value, isNamed: boolean): string {
  return isNamed && value !== null ? nameOf(trace, value) || `#${value}` : show(value);
}

/** A value in a sentence: its number, and its name if it may be a token. */
export function spelled(trace: Trace, value: Value | undefined, type: string, isNamed: boolean): string {
  if (value === undefined) return "·";
  const name = type === "Int" || isNamed ? nameOf(trace, value) : "";
  if (!name) return label(trace, value, isNamed);
  return isNamed ? `${name} (token ${value})` : `${value} ${name}`;
}

/** The value of a row at a position; the tokens reach one further than what is computed of them. */
export function valueAt(trace: Trace, row: number, position: number): Value | undefined {
  return (trace.tokens[row] ?? trace.rows[row].values)[position];
}

/** A selector's triangle: row i of the packed bits begins at bit i(i+1)/2. */
export class Selected {
  private readonly bytes: Uint8Array;

  constructor(bits: string) {
    this.bytes = Uint8Array.from(atob(bits), (char) => char.charCodeAt(0));
  }

  has(query: number, key: number): boolean {
    const bit = (query * (query + 1)) / 2 + key;
    return ((this.bytes[bit >> 3] >> (bit & 7)) & 1) === 1;
  }

  keys(query: number): number[] {
    return Array.from({ length: query + 1 }, (_, key) => key).filter((key) => this.has(query, key));
  }
}
