// Bundles the pages into the Python package: the playground's, and the script and style that a trace
// as a page of its own carries in it. Each gets a fingerprint of the sources that it was made from. A
// test compares that, so it needs no Node to find out that somebody forgot to build.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "../src/raspl");

const sources = ["build.mjs", "package-lock.json", "package.json", "tsconfig.json"];
const inSrc = readdirSync(join(here, "src"), { recursive: true }).map((name) => `src/${name.split(sep).join("/")}`);
sources.push(...inSrc.filter((name) => statSync(join(here, name)).isFile()).sort());
const hash = createHash("sha256");
for (const name of sources) hash.update(`${name}\n`).update(readFileSync(join(here, name)));
const fingerprint = `${hash.digest("hex")}\n`;

async function bundle(folder, entryPoints, format) {
  const outdir = join(target, folder);
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const entries = Object.fromEntries(Object.entries(entryPoints).map(([name, path]) => [name, join(here, "src", path)]));
  await build({ entryPoints: entries, outdir, bundle: true, minify: true, format, target: ["es2022"], charset: "utf8", legalComments: "none" });
  writeFileSync(join(outdir, "sources.txt"), fingerprint);
  return outdir;
}

const playground = await bundle("web/static", { app: "main.ts", style: "style.css" }, "esm");
for (const name of ["index.html", "icon.svg"]) copyFileSync(join(here, "src", name), join(playground, name));
await bundle("trace/static", { trace: "trace/page.ts", style: "trace/page.css" }, "iife");
