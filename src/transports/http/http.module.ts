import { Module, type DynamicModule } from '@nestjs/common';
import { OperationContext } from '../../operations/operation-context.service.js';
import { OperationsModule } from '../../operations/operations.module.js';
import { HttpDoor } from './http-door.service.js';
import { createRoutesController } from './routes.controller.js';
import { V1_ROUTES } from './v1.routes.js';

/** The HTTP door: every route of the canonical dialect as a Nest route. */
@Module({})
export class HttpModule {
  static register(): DynamicModule {
    return {
      module: HttpModule,
      imports: [OperationsModule],
      controllers: [createRoutesController(V1_ROUTES)],
      providers: [
        {
          provide: HttpDoor,
          inject: [OperationContext],
          useFactory: (context: OperationContext) => new HttpDoor(context),
        },
      ],
      exports: [HttpDoor],
    };
  }
}
