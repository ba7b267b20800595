/** The plugin's public API. */
export * from './core.js';
export { optionsFromEnv } from './config/options-from-env.js';
export { resolveOptions } from './config/resolve-options.js';
