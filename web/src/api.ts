/** The server's JSON interface, as far as the page reads it. The full schema is at /api/schema. */

import type { Value } from "./trace/data";

export interface Edit { line: number; column: number; end_line: number; end_column: number; text: string }
export interface Fix { title: string; edits: Edit[] }
export interface Diagnostic {
  line: number; column: number; end_line: number; end_column: number;
  code: string; name: string; severity: "error" | "warning";
  message: string; rule: string; instead: string; note: string; fixes: Fix[];
}
export interface Measures { lines: number; operations: number; heads: number; depth: number; width: number; bits: number }
export interface Program { name: string; line: number; inputs: string[]; output: string; measures: Measures; tokens: Record<string, number> }
export interface Checked { diagnostics: Diagnostic[]; programs: Program[]; seconds: number }
export interface Item { name: string; kind: string; signature: string; doc: string }
export interface Call { name: string; signature: string; parameters: string[]; active: number; doc: string }
export interface Completions { from: number; items: Item[]; call: Call | null }
export interface Hover { found: (Item & { type: string; values: string; from: number; to: number }) | null }

export interface Head { variable: string; does: string; moves: string[]; attention: number[][]; selector: number[][] | null }
export interface Network {
  summary: string; tokens: number[][]; names: Record<string, string>; width: number; parameters: number; variables: string[];
  layers: { layer: number; heads: Head[]; hidden: number; writes: string[] }[];
  /** What the program's own measures say: heads and depth. */
  measured: { heads: number; depth: number };
  longest: number; output: number[]; output_is_token: boolean; agrees: boolean; warnings: string[];
}
export interface Counterexample { input: string; generate: boolean; expected: Value[]; got: Value[]; at: number; sentence: string }
export interface Judged { solved: boolean; error?: string; counterexample?: Counterexample; tested?: number; measures?: Measures; best?: Measures }
export interface Puzzle {
  id: string; number: number; chapter: string; title: string; goal: string;
  example: { input: string; output: string }; generate: boolean; until: string;
  hints: string[]; start: string; uses: { signature: string; doc: string }[]; best: Measures;
}
export interface RecordLine { name: string; heads: number; depth: number; bits: number; when: string }
export interface Records { records: Record<string, RecordLine[]>; is_kept: boolean }
export interface Settings { version: string; ask: boolean; network: boolean; max_text: number }
export interface Event { kind: string; data: Record<string, unknown> }

export class Refused extends Error {}

async function answered<T>(response: Response): Promise<T> {
  const data = await response.json().catch(() => null);
  if (!response.ok) throw new Refused(data?.error ?? `the server answered ${response.status}`);
  return data as T;
}

export async function post<T>(call: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const request = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal };
  try {
    return await answered<T>(await fetch(`api/${call}`, request));
  } catch (error) {
    if (error instanceof TypeError) throw new Refused("the server can't be reached: is `raspl play` still running?");
    throw error;
  }
}

export async function get<T>(call: string): Promise<T> {
  return answered<T>(await fetch(`api/${call}`));
}

/** The events of a stream, one after the other. */
export async function* stream(call: string, body: unknown, signal: AbortSignal): AsyncGenerator<Event> {
  const response = await fetch(`api/${call}`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal,
  });
  if (!response.ok || !response.body) { await answered(response); return; }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const data = part.split("\n").find((line) => line.startsWith("data: "));
      if (data) yield JSON.parse(data.slice(6)) as Event;
    }
  }
}

/** Calls one at a time; of those that come meanwhile only the latest is made. */
export function latest<A, R>(make: (asked: A) => Promise<R>, use: (answer: R, asked: A) => void, failed: (error: unknown) => void): (asked: A) => void {
  let running = false;
  let waiting: { asked: A } | null = null;
  const run = async (asked: A): Promise<void> => {
    running = true;
    try {
      const answer = await make(asked);
      if (!waiting) use(answer, asked);
    } catch (error) {
      if (!waiting) failed(error);
    }
    running = false;
    if (waiting) { const next = waiting; waiting = null; void run(next.asked); }
  };
  return (asked) => { if (running) waiting = { asked }; else void run(asked); };
}
