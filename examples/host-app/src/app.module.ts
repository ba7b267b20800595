import { Module } from '@nestjs/common';
import { SkillwrightModule } from 'skillwright';
import { StepRunner } from './step-runner.service';

@Module({
  imports: [
    SkillwrightModule.forRoot({
      workspace: { dir: process.env.WORKSPACE_DIR ?? '../../workspace-docs' },
      data: { dir: process.env.DATA_DIR ?? './.skillwright' },
    }),
  ],
  providers: [StepRunner],
})
export class AppModule {}
