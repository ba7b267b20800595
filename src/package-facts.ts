import { createRequire } from 'node:module';
import { join } from 'node:path';

const { version } = createRequire(__filename)('../package.json') as { version: string };

/** Version of the package, as published. */
export const PACKAGE_VERSION = version;

/** System skills that ship with the package. The service searches them; a host application names them if it wants. */
export const BUNDLED_SKILLS_DIR = join(__dirname, '..', 'bundled-skills');
