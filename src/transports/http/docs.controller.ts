import { Controller, Get, Inject, Res } from '@nestjs/common';
import { type Response } from 'express';
import { getAbsoluteFSPath } from 'swagger-ui-dist';
import { openApiDocument } from './openapi.js';
import { V1_ROUTES } from './v1.routes.js';

/** Version shown in the OpenAPI document. */
export const API_VERSION = Symbol.for('skillwright.api-version');

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><title>Skillwright API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body><div id="ui"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body>
</html>
`;
const START = `window.ui = SwaggerUIBundle({ url: '/openapi.json', dom_id: '#ui', deepLinking: true });\n`;
const CSP =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** `/openapi.json` and a page to read and try it. */
@Controller()
export class DocsController {
  readonly #document: Record<string, unknown>;

  constructor(@Inject(API_VERSION) version: string) {
    this.#document = openApiDocument(V1_ROUTES, version);
  }

  @Get('openapi.json')
  document(): Record<string, unknown> {
    return this.#document;
  }

  @Get('docs')
  page(@Res() response: Response): void {
    protect(response).type('html').send(PAGE);
  }

  @Get('docs/start.js')
  start(@Res() response: Response): void {
    protect(response).type('js').send(START);
  }

  @Get(ASSETS.map((name) => `docs/${name}`))
  asset(@Res() response: Response): void {
    const name = ASSETS.find((one) => response.req.path === `/docs/${one}`) ?? 'swagger-ui.css';
    protect(response).sendFile(name, { root: getAbsoluteFSPath() });
  }
}

function protect(response: Response): Response {
  return response
    .setHeader('Content-Security-Policy', CSP)
    .setHeader('X-Content-Type-Options', 'nosniff')
    .setHeader('Referrer-Policy', 'no-referrer');
}
