// Bundles the page into the Python package, with a fingerprint of the sources it was made from.
// A test compares that fingerprint, so it needs no Node to find out that somebody forgot to build.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "../src/raspl/web/static");

const sources = [
  "build.mjs",
  "package-lock.json",
  "package.json",
  "tsconfig.json",
  ...readdirSync(join(here, "src")).sort().map((name) => `src/${name}`),
];
const hash = createHash("sha256");
for (const name of sources) hash.update(`${name}\n`).update(readFileSync(join(here, name)));

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
await build({
  entryPoints: { app: join(here, "src/main.ts"), style: join(here, "src/style.css") },
  outdir: target,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022"],
  charset: "utf8",
  legalComments: "none",
});
for (const name of ["index.html", "icon.svg"]) copyFileSync(join(here, "src", name), join(target, name));
writeFileSync(join(target, "sources.txt"), `${hash.digest("hex")}\n`);
