// Writes docs/configuration.md, docs/errors.md and docs/http.md from the tables in src; `--check` only compares.
import { createRequire } from 'node:module';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const require = createRequire(import.meta.url);
const { renderConfigurationDoc } = require('../dist/config/render-configuration.js');
const { renderErrorsDoc } = require('../dist/kernel/render-errors.js');

const { renderHttpDoc } = require('../dist/transports/http/render-http.js');
const { V1_ROUTES } = require('../dist/transports/http/v1.routes.js');

const pages = {
  'docs/http.md': renderHttpDoc(V1_ROUTES),
  'docs/configuration.md': renderConfigurationDoc(),
  'docs/errors.md': renderErrorsDoc(),
};
const check = process.argv.includes('--check');
let stale = false;
for (const [path, text] of Object.entries(pages)) {
  if (check && (!existsSync(path) || readFileSync(path, 'utf8') !== text)) {
    console.error(`${path} is not what the sources say: run \`npm run docs\`.`);
    stale = true;
  } else if (!check) {
    writeFileSync(path, text);
  }
}
process.exit(stale ? 1 : 0);
