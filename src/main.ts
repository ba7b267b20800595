/** The standalone service; see `app.module.ts`. */
export {};
