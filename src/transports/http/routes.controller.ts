import { Controller, Inject, Req, RequestMapping, RequestMethod, Res, type Type } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { HttpDoor, type HttpRoute } from './http-door.service.js';

/**
 * Makes a Nest controller of a route table, one method a line. The routes are ordinary Nest routes, so a host
 * application's prefix, versioning, guards and interceptors apply to them; the table stays the one list that
 * OpenAPI and the tests read.
 */
export function createRoutesController(routes: readonly HttpRoute[]): Type {
  @Controller()
  class RoutesController {
    constructor(@Inject(HttpDoor) readonly door: HttpDoor) {}
  }
  const prototype = RoutesController.prototype as unknown as Record<string, unknown>;
  routes.forEach((route, index) => {
    const name = `route${index}`;
    const descriptor = {
      value: function (
        this: RoutesController,
        request: Request,
        response: Response,
      ): Promise<void> | undefined {
        return this.door.handle(route, request, response);
      },
      writable: true,
      configurable: true,
    };
    Object.defineProperty(prototype, name, descriptor);
    RequestMapping({ path: route.path, method: RequestMethod[route.method] })(prototype, name, descriptor);
    Req()(prototype, name, 0);
    Res()(prototype, name, 1);
  });
  return RoutesController;
}
