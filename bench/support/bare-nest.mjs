// The yardstick of P4: one Nest route on the same adapter that sends ready bytes. The bytes come on standard input,
// the address goes to standard output.
import 'reflect-metadata';
import { Controller, Get, Module, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const bytes = Buffer.concat(chunks);
const ETAG = '"bare"';

class BareController {
  answer(request, response) {
    response.setHeader('ETag', ETAG);
    if (request.headers['if-none-match'] === ETAG) {
      response.statusCode = 304;
      response.end();
      return;
    }
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', bytes.length);
    response.end(bytes);
  }
}
const descriptor = Object.getOwnPropertyDescriptor(BareController.prototype, 'answer');
Get('answer')(BareController.prototype, 'answer', descriptor);
Req()(BareController.prototype, 'answer', 0);
Res()(BareController.prototype, 'answer', 1);
Controller()(BareController);

class BareModule {}
Module({ controllers: [BareController] })(BareModule);

const app = await NestFactory.create(BareModule, { logger: false, bodyParser: false });
app.disable('etag').disable('x-powered-by').set('query parser', false);
await app.listen(0, '127.0.0.1');
console.log(`listening on http://127.0.0.1:${app.getHttpServer().address().port}`);
