import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
import { StepRunner } from './step-runner.service';

const STEPS = ['research-step', 'qualify-step'];

async function main(): Promise<void> {
  const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
  const runner = app.get(StepRunner);
  for (const step of STEPS) console.log(await runner.describe('demo', step));
  await app.close();
}

void main();
