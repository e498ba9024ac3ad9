/** Everything that is shared stands in the link itself: packed into its fragment, which no server sees. */

export interface Shared { text: string; input: string; generate: boolean; puzzle: string }

const MOST = 40_000;

async function through(bytes: Uint8Array<ArrayBuffer>, via: CompressionStream | DecompressionStream, most = Infinity): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(via as unknown as TransformStream<Uint8Array, Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) throw new Error("too large");
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let place = 0;
  for (const part of parts) { whole.set(part, place); place += part.length; }
  return whole;
}

export async function pack(shared: Shared): Promise<string> {
  const plain = new TextEncoder().encode(JSON.stringify([shared.text, shared.input, shared.generate ? 1 : 0, shared.puzzle]));
  const packed = await through(plain, new CompressionStream("deflate-raw"));
  const letters = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpack(fragment: string): Promise<Shared | null> {
  try {
    const letters = fragment.replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(letters), (char) => char.charCodeAt(0));
    const plain = await through(bytes, new DecompressionStream("deflate-raw"), MOST);
    const [text, input, generate, puzzle] = JSON.parse(new TextDecoder().decode(plain)) as unknown[];
    if (typeof text !== "string" || typeof input !== "string" || typeof puzzle !== "string") return null;
    return { text, input, generate: generate === 1, puzzle };
  } catch {
    return null;
  }
}
