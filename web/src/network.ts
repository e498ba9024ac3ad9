/** The compiled network, layer by layer: what each head looks at, what each MLP writes. */

import type { Head, Network } from "./api";
import { fill, h, plural, svg } from "./dom";

const NOTHING = "∅";
const LETTER = 6.8;

export class NetworkView {
  private network: Network | null = null;
  private isWriting = false;
  private at = 0;

  constructor(private readonly root: HTMLElement) {}

  say(sentence: string): void { this.network = null; fill(this.root, h("p", { class: "empty" }, sentence)); }

  /** `isWriting`: the user wants the program to write on, which is not drawn here. */
  show(network: Network, isWriting: boolean): void {
    const length = network.tokens[0].length;
    if (!this.network || this.network.tokens[0].length !== length) this.at = length - 1;
    this.network = network;
    this.isWriting = isWriting;
    this.draw();
  }

  private draw(): void {
    const network = this.network!;
    const heads = network.layers.flatMap((layer) => layer.heads);
    const depth = new Set(network.layers.filter((layer) => layer.heads.length).map((layer) => layer.layer)).size;
    const facts = h("p", { class: "lead" },
      `A real Transformer that computes this program: ${plural(depth, "layer")}, ${plural(heads.length, "head")}, ${network.parameters.toLocaleString("en")} weights, a stream ${network.width} wide. `,
      h("b", {}, network.agrees ? "✓ It gives what the program gives" : "✗ It differs from the program here"),
      `, exactly up to ${network.longest.toLocaleString("en")} tokens.`);
    const why = difference(network, heads, depth);
    const notes = [
      why && h("p", { class: "soft", id: "difference" }, why),
      this.isWriting && h("p", { class: "soft", id: "notwriting" }, "“Keep writing” does not apply here: the network is shown as it reads the input once. Its last output is the token that it would write first."),
    ];
    const stack = h("ol", { class: "stack" });
    stack.append(h("li", { class: "tokens" }, h("h3", {}, "Tokens"), this.tokens("tokens", network.tokens[0], "Choose the position to follow", true),
      h("p", { class: "soft" }, "Choose a position to see where it looks in every layer.", heads.length ? ` In the pictures, a row is a position that looks, a column one that is looked at, each with its token. The column ${NOTHING} is a place before the first token: a head that finds nothing looks there, and fetches nothing.` : "")));
    for (const layer of network.layers) {
      if (layer.heads.length) {
        stack.append(h("li", { class: "layer" }, h("h3", {}, `Layer ${layer.layer}: attention`),
          h("div", { class: "heads" }, ...layer.heads.map((head) => this.head(head)))));
      }
      if (layer.writes.length || layer.hidden) {
        stack.append(h("li", { class: "layer mlp" }, h("h3", {}, `Layer ${layer.layer}: MLP`),
          h("p", {}, `${plural(layer.hidden, "unit")} write `, ...layer.writes.flatMap((name, i) => [i ? ", " : "", h("code", {}, name)]))));
      }
    }
    stack.append(h("li", { class: "tokens" }, h("h3", {}, "Output"), this.tokens("output", network.output, "Output at each position", network.output_is_token)));
    fill(this.root, facts, ...notes, stack, ...network.warnings.map((warning) => h("p", { class: "soft" }, warning)));
  }

  private tokens(strip: string, values: number[], label: string, areTokens: boolean): HTMLElement {
    const network = this.network!;
    return h("div", { class: "strip", role: "group", "aria-label": label, dataset: { strip } }, ...values.map((value, i) => h("button", {
      type: "button", class: i === this.at ? "token now" : "token", "aria-pressed": String(i === this.at),
      onclick: () => { this.at = i; this.draw(); this.root.querySelector<HTMLElement>(`[data-strip=${strip}] .token.now`)?.focus(); },
    }, value, areTokens && network.names[String(value)] ? h("small", {}, network.names[String(value)]) : null)));
  }

  private head(head: Head): HTMLElement {
    const network = this.network!;
    const n = head.attention.length;
    const names = network.tokens[0].map((token) => network.names[String(token)] ?? String(token));
    const size = Math.max(8, Math.min(20, Math.floor(260 / (n + 1))));
    const isLabelled = size >= 12;
    // As in the pictures of the trace: positions outside, tokens inside, wide ones upright.
    const widest = LETTER * Math.max(...names.map((name) => name.length));
    const isUpright = widest > size;
    const left = isLabelled ? 26 + widest : 4;
    const top = isLabelled ? 20 + (isUpright ? widest : 12) : 4;
    const drawing = svg("svg", { width: left + (n + 1) * size + 4, height: top + n * size + 4, class: "weights", role: "img", "aria-label": `Attention of the head that makes ${head.variable}` });
    const text = (place: Record<string, unknown>, label: string, style: string): void => {
      drawing.append(svg("text", { ...place, class: style }, document.createTextNode(label)));
    };
    if (isLabelled) text({ x: left + size / 2, y: top - 6, "text-anchor": "middle" }, NOTHING, "");
    head.attention.forEach((row, i) => {
      const now = i === this.at ? "now" : "";
      if (isLabelled) {
        const middle = top + (i + 0.7) * size, across = left + (i + 1.5) * size;
        text({ x: 14, y: middle, "text-anchor": "end" }, String(i), `place ${now}`);
        text({ x: left - 6, y: middle, "text-anchor": "end" }, names[i], now);
        text({ x: across, y: 10, "text-anchor": "middle" }, String(i), "place");
        text(isUpright ? { transform: `translate(${across + 4} ${top - 5}) rotate(-90)` } : { x: across, y: top - 6, "text-anchor": "middle" }, names[i], "");
      }
      row.slice(0, i + 2).forEach((weight, j) => {
        const cell = svg("rect", { x: left + j * size + 1, y: top + i * size + 1, width: size - 2, height: size - 2, rx: 2, class: `weight ${now}`, "fill-opacity": 0.08 + 0.92 * weight });
        cell.append(svg("title", {}, document.createTextNode(`position ${i} gives ${j ? `position ${j - 1}` : `nothing (${NOTHING})`} the weight ${weight}`)));
        drawing.append(cell);
      });
      // A frame, since not everybody sees the colour of the row.
      if (now) drawing.append(svg("rect", { x: left - 0.5, y: top + i * size - 0.5, width: (i + 2) * size + 1, height: size + 1, rx: 3, class: "chosen" }));
    });
    const row = head.attention[this.at] ?? [];
    const looked = row.flatMap((weight, j) => (weight > 0.02 ? [`${j ? `position ${j - 1}` : `${NOTHING}, nothing`}${weight < 0.98 ? ` (${Math.round(100 * weight)} %)` : ""}`] : []));
    return h("figure", {}, h("figcaption", {}, h("code", {}, head.variable), ` ${head.does}`), h("div", { class: "gridbox" }, drawing as unknown as Node),
      h("p", { class: "soft" }, `Position ${this.at} looks at ${looked.slice(0, 6).join(", ")}${looked.length > 6 ? " and others" : ""}.`));
  }
}

/** Why the network has other numbers than stand below the editor; nothing if it has the same. */
function difference({ measured }: Network, heads: Head[], depth: number): string {
  const rounding = heads.filter((head) => head.selector === null).length;
  const sentences = [];
  if (rounding) {
    const layers = depth - measured.depth;
    sentences.push(`${capital(plural(rounding, "head"))}${layers > 0 ? ` and ${plural(layers, "layer").replace(/^1 /, "one ")}` : ""} more than the program itself needs: a head that counts finds a fraction, and ${rounding === 1 ? "one more head rounds" : "as many more heads round"} it to a whole number.`);
  }
  if (heads.length - rounding < measured.heads) {
    const fewer = measured.heads - heads.length + rounding;
    sentences.push(`${capital(plural(fewer, "head"))} of the program ${fewer === 1 ? "is" : "are"} not needed: the network is made for the tokens of your input and the program's constants, and for these ${fewer === 1 ? "its value is" : "their values are"} known beforehand.`);
  }
  return sentences.join(" ");
}

const capital = (text: string): string => text.replace(/^1 /, "One ");
