import { Module, type DynamicModule } from '@nestjs/common';
import { type SkillwrightOptionsInput } from './config/options.js';
import { SkillwrightModule } from './plugin/skillwright.module.js';
import { API_VERSION, DocsController } from './transports/http/docs.controller.js';

/** The standalone service: the plugin as any host would import it, plus API documentation. */
@Module({})
export class AppModule {
  static register(options: SkillwrightOptionsInput, version: string): DynamicModule {
    return {
      module: AppModule,
      imports: [SkillwrightModule.forRoot(options, { routes: true })],
      controllers: [DocsController],
      providers: [{ provide: API_VERSION, useValue: version }],
    };
  }
}
