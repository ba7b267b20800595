import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { SkillwrightError } from '../../kernel/errors.js';
import { allowedMethods } from './allowed-methods.js';
import { HttpDoor } from './http-door.service.js';
import { V1_ROUTES } from './v1.routes.js';

/** What the service says where it has no route; a host application keeps its own answer. */
@Controller()
export class NotFoundController {
  constructor(@Inject(HttpDoor) private readonly door: HttpDoor) {}

  @All(['/', '*path'])
  answer(@Req() request: Request, @Res() response: Response): void {
    const allowed = allowedMethods(V1_ROUTES, request.path);
    if (allowed.length === 0) {
      this.door.refuse(
        request,
        response,
        new SkillwrightError('not_found', { detail: 'no route has this path' }),
      );
      return;
    }
    response.setHeader('Allow', allowed.join(', '));
    const detail = `${request.method} is not one of ${allowed.join(', ')}`;
    this.door.refuse(request, response, new SkillwrightError('method_not_allowed', { detail }));
  }
}
