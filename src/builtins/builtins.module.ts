import { Module } from '@nestjs/common';
import { BUILTIN_SKILLS } from './registry.js';

/** Token under which {@link BuiltinsModule} provides the list of builtin skills. */
export const BUILTIN_SKILLS_TOKEN = Symbol('skillwright:builtin-skills');

/** Provides the skills that are served from code. */
@Module({
  providers: [{ provide: BUILTIN_SKILLS_TOKEN, useValue: BUILTIN_SKILLS }],
  exports: [BUILTIN_SKILLS_TOKEN],
})
export class BuiltinsModule {}
