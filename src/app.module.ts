import { Module, type DynamicModule } from '@nestjs/common';
import { type SkillwrightOptionsInput } from './config/options.js';
import { SkillwrightModule } from './plugin/skillwright.module.js';
import { API_VERSION, DocsController } from './transports/http/docs.controller.js';
import { HttpModule } from './transports/http/http.module.js';
import { NotFoundController } from './transports/http/not-found.controller.js';

/** The standalone service: the plugin as any host would import it, plus API documentation. */
@Module({})
export class AppModule {
  static register(options: SkillwrightOptionsInput, version: string): DynamicModule {
    const routes = HttpModule.register();
    return {
      module: AppModule,
      imports: [SkillwrightModule.forRoot(options), routes],
      controllers: [DocsController, NotFoundController],
      providers: [{ provide: API_VERSION, useValue: version }],
    };
  }
}
