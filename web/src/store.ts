/** What this browser remembers: drafts, solved puzzles, a name. Nothing of it is on the server. */

import type { Measures } from "./api";

export interface Solved { text: string; heads: number; depth: number; bits: number }
interface Kept { solved: Record<string, Solved>; drafts: Record<string, string>; name: string; theme: string }

const KEY = "raspl-playground";
const EMPTY: Kept = { solved: {}, drafts: {}, name: "", theme: "" };

function read(): Kept {
  try {
    return { ...EMPTY, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...EMPTY };
  }
}
export const kept = read();

export function save(): void {
  try { localStorage.setItem(KEY, JSON.stringify(kept)); } catch { /* private windows keep nothing */ }
}

/** Whether the first costs less: fewer heads, then shallower, then shorter. */
export function isBetter(a: Pick<Measures, "heads" | "depth" | "bits">, b: Pick<Measures, "heads" | "depth" | "bits">): boolean {
  return a.heads !== b.heads ? a.heads < b.heads : a.depth !== b.depth ? a.depth < b.depth : a.bits < b.bits;
}

export function keepSolution(puzzle: string, text: string, measures: Measures): void {
  const before = kept.solved[puzzle];
  const now = { text, heads: measures.heads, depth: measures.depth, bits: measures.bits };
  if (!before || !isBetter(before, now)) kept.solved[puzzle] = now;
  save();
}

export function exported(): string {
  return JSON.stringify({ format: "raspl-solutions-1", solutions: Object.fromEntries(Object.entries(kept.solved).map(([id, one]) => [id, one.text])) }, null, 1);
}

/** The solutions in a file that was exported; throws a sentence if it is none. */
export function imported(text: string): Record<string, string> {
  let data: { format?: string; solutions?: Record<string, unknown> };
  try { data = JSON.parse(text); } catch { throw new Error("this file is not JSON"); }
  if (data?.format !== "raspl-solutions-1" || typeof data.solutions !== "object") throw new Error("this file holds no solutions: export some first");
  return Object.fromEntries(Object.entries(data.solutions ?? {}).filter((pair): pair is [string, string] => typeof pair[1] === "string"));
}
