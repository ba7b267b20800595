import { createRequire } from 'node:module';

const { version } = createRequire(__filename)('../package.json') as { version: string };

/** Version of the package, as published. */
export const PACKAGE_VERSION = version;
