import { type z } from 'zod';

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly defaultValue?: unknown;
}

/** The kind of value below `optional`, `nullable`, `default` and pipes: "string", "number", "array", … */
export function schemaKind(schema: z.ZodType): string {
  return innermost(schema)._zod.def.type;
}

/** The schema below its wrappers. */
export function innermost(schema: z.ZodType): z.ZodType {
  let inner = schema;
  for (;;) {
    const { innerType, in: piped } = inner._zod.def as Definition;
    const next = innerType ?? piped;
    if (next === undefined) return inner;
    inner = next;
  }
}

/** The default that a schema fills in, if any. */
export function schemaDefault(schema: z.ZodType): unknown {
  let inner: z.ZodType | undefined = schema;
  while (inner !== undefined) {
    const definition: Definition = inner._zod.def;
    if (definition.type === 'default') return definition.defaultValue;
    inner = definition.innerType;
  }
  return undefined;
}

/** The keys of an object schema; empty for any other. */
export function objectShape(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  const { shape } = innermost(schema)._zod.def as { shape?: Record<string, z.ZodType> };
  return shape ?? {};
}
