import { z } from 'zod';

const path = z.string().min(1);
const count = z.number().int().positive();
const webUrl = z.url({ protocol: /^https?$/ });
const weight = z.number().min(0).max(100);

/** Marks a leaf whose value must never be shown or logged. */
const SECRET = { secret: true } as const;

/**
 * Every option, once: `forRoot`, `forRootAsync` and the environment all fill this object.
 * `docs/configuration.md` is generated from it.
 */
export const optionsSchema = z.strictObject({
  http: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1').describe('Address the service listens on.'),
      port: z
        .number()
        .int()
        .min(0)
        .max(65535)
        .default(4310)
        .describe('Port; 0 takes any free one and prints it.'),
      allowedHosts: z
        .array(z.string().min(1))
        .default([])
        .describe('Host headers accepted besides localhost, 127.0.0.1 and [::1] while no tokens are in use.'),
    })
    .prefault({}),
  workspace: z
    .strictObject({
      dir: path.default('./workspace-docs').describe('Folder with skills/, workflows/ and presets/.'),
    })
    .prefault({}),
  data: z
    .strictObject({
      dir: path.default('./.skillwright').describe('Folder of the embedded database and caches.'),
    })
    .prefault({}),
  database: z
    .strictObject({
      url: z
        .url({ protocol: /^postgres(ql)?$/ })
        .optional()
        .meta({
          ...SECRET,
          description: 'PostgreSQL 13 or later; without it the embedded database is used.',
        }),
      schema: z
        .string()
        .regex(/^[a-z_][a-z0-9_]{0,62}$/)
        .default('skillwright')
        .describe('Schema that holds every table; created when missing.'),
      poolSize: count.max(100).default(10).describe('Connections held at most.'),
    })
    .prefault({}),
  bundled: z
    .strictObject({
      dir: path
        .optional()
        .describe("Folder of bundled system skills; by default the package's own, if it has one."),
    })
    .prefault({}),
  auth: z
    .strictObject({
      disabled: z
        .boolean()
        .default(false)
        .describe('Allow listening on an address other than loopback without any access control.'),
    })
    .prefault({}),
  discovery: z
    .strictObject({
      profile: z
        .enum(['service', 'discovery'])
        .default('service')
        .describe('Which ordered list of locations is searched.'),
      path: z
        .array(path)
        .default([])
        .describe(
          'Directories searched before all others, label "agent"; separated by colons in the environment.',
        ),
      includeUser: z
        .boolean()
        .default(true)
        .describe('Profile "discovery": whether skills other than builtins are looked for.'),
      maxFolders: count
        .default(50_000)
        .describe('Folders looked at per location; beyond it a finding says so.'),
      maxDepth: count.max(32).default(8).describe('Depth of folders looked at below a location.'),
    })
    .prefault({}),
  guard: z
    .strictObject({
      bubblewrap: path
        .default('/usr/bin/bwrap')
        .describe('Program that keeps commands of steps to their grants; Linux only.'),
      allowUnsandboxed: z
        .boolean()
        .default(false)
        .describe('Run commands of steps also where nothing can keep them to their grants.'),
      runtimePaths: z
        .array(path)
        .default([])
        .describe('Folders of the machine that commands may read besides the usual ones, like /opt/node.'),
      timeMs: count.default(600_000).describe('Time after which a command is ended with all it started.'),
      outputBytes: count.default(1_048_576).describe('Bytes kept of each output stream of a command.'),
    })
    .prefault({}),
  listing: z
    .strictObject({
      maxCount: count
        .default(40)
        .describe('Skills named in the prompt at most; above it the search tool is offered.'),
      maxTokens: count.default(5000).describe('Tokens of the listing at most; above it overBudget decides.'),
      format: z
        .enum(['xml', 'agent-skills', 'markdown', 'lines', 'json'])
        .default('xml')
        .describe('How the listing is written.'),
      tokenizer: z
        .enum(['estimate', 'o200k'])
        .default('estimate')
        .describe('How tokens are counted: bytes divided by four, or the o200k vocabulary.'),
      overBudget: z
        .enum(['search', 'shrink'])
        .default('search')
        .describe('Above the budget: offer search, or first shorten descriptions, then keep names only.'),
    })
    .prefault({}),
  search: z
    .strictObject({
      nameWeight: weight.default(3).describe('How much a word in the name counts; 0 leaves the field out.'),
      slugWeight: weight.default(2).describe('The same for a word in the slug.'),
      tagWeight: weight.default(2).describe('The same for a word in a tag.'),
      descriptionWeight: weight.default(1).describe('The same for a word in the description.'),
      headingWeight: weight
        .default(0.3)
        .describe('The same for a word in a heading of SKILL.md; 0 spares reading the bodies.'),
      vectors: z
        .enum(['builtin', 'endpoint', 'off'])
        .default('builtin')
        .describe(
          'What finds skills that share no word with a query: word vectors of the package, an embeddings endpoint, or nothing.',
        ),
      wordVectors: path
        .optional()
        .describe(
          "File of word vectors; by default the package's own, made by scripts/make-word-vectors.mjs.",
        ),
      endpointUrl: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe('OpenAI-compatible API, without /embeddings at the end: https://api.openai.com/v1.'),
      endpointModel: z.string().min(1).default('text-embedding-3-small').describe('Model that is asked for.'),
      endpointKey: z
        .string()
        .min(1)
        .optional()
        .meta({ ...SECRET, description: 'Sent to the endpoint as a bearer token.' }),
      endpointDimension: count
        .max(4096)
        .optional()
        .describe('Numbers in a vector; asked for and checked. By default what the model gives.'),
      endpointLeastCosine: z
        .number()
        .min(-1)
        .max(1)
        .default(0.35)
        .describe('How near a skill must be to be found by its vector alone; depends on the model.'),
      endpointBatch: count.max(2048).default(64).describe('Texts sent in one request.'),
      endpointTimeoutMs: count.max(600_000).default(10_000).describe('How long an answer is waited for.'),
      k1: z.number().min(0).max(10).default(1.2).describe('BM25: how soon repetitions stop to count.'),
      b: z.number().min(0).max(1).default(0.75).describe('BM25: how much length is held against a skill.'),
    })
    .refine(({ vectors, endpointUrl }) => vectors !== 'endpoint' || endpointUrl !== undefined, {
      path: ['endpointUrl'],
      error: 'needed where vectors are those of an endpoint',
    })
    .prefault({}),
  github: z
    .strictObject({
      apiUrl: webUrl.default('https://api.github.com').describe('API of the GitHub that is imported from.'),
      webUrl: webUrl
        .default('https://github.com')
        .describe(
          'Its pages; set both for GitHub Enterprise. Plain http is accepted only where it stands here.',
        ),
      token: z
        .string()
        .regex(/^[\x21-\x7e]{1,255}$/)
        .optional()
        .meta({
          ...SECRET,
          description: 'Token for imports without one of their own; sent to the API alone.',
        }),
      hosts: z
        .array(
          z.union([
            webUrl,
            z.strictObject({
              web: webUrl,
              api: webUrl.optional(),
              archives: webUrl.optional(),
              token: z
                .string()
                .regex(/^[\x21-\x7e]{1,255}$/)
                .optional(),
            }),
          ]),
        )
        .default([])
        .meta({
          ...SECRET,
          description:
            'More GitHub Enterprise hosts: an address whose API is below /api/v3, or {web, api, archives, token}.',
        }),
    })
    .prefault({}),
  limits: z
    .strictObject({
      skillMdBytes: count.default(1_048_576).describe('Largest SKILL.md that is read.'),
      frontmatterBytes: count.default(65_536).describe('Largest frontmatter that is read.'),
      skillFiles: count.default(2_000).describe('Files in one skill at most.'),
      skillBytes: count.default(104_857_600).describe('Bytes in one skill at most.'),
      fileBytes: count.default(26_214_400).describe('Bytes in one supporting file at most.'),
      inlineFileBytes: count
        .default(1_048_576)
        .describe('Largest file whose content stands in a JSON answer.'),
      inlineAttachmentBytes: count
        .default(8_388_608)
        .describe('Bytes of file contents in the attachments of one step at most.'),
      contentBodyBytes: count
        .default(6_291_456)
        .describe('Largest request body on routes that take a whole SKILL.md.'),
      jsonBodyBytes: count.default(1_048_576).describe('Largest JSON request body.'),
      uploadBytes: count.default(20_971_520).describe('Largest archive that is uploaded or imported.'),
      archiveEntries: count
        .max(65_534)
        .default(2_000)
        .describe('Entries in one archive at most, folders included.'),
      imports: count.max(100).default(4).describe('Imports that run at the same time at most.'),
    })
    .prefault({}),
  watch: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Notice changes of files while running.'),
      debounceMs: z
        .number()
        .int()
        .min(0)
        .max(60_000)
        .default(500)
        .describe('Quiet time before a change is read.'),
      pollMs: count
        .default(30_000)
        .describe('Time between full passes over all files, which find what events missed.'),
    })
    .prefault({}),
  log: z
    .strictObject({
      level: z
        .enum(['silent', 'error', 'warn', 'info', 'debug'])
        .default('info')
        .describe('Least severity that is logged.'),
    })
    .prefault({}),
});

/** What a caller may pass: every key optional. */
export type SkillwrightOptionsInput = z.input<typeof optionsSchema>;

/** The options after defaults. */
export type SkillwrightOptions = z.output<typeof optionsSchema>;
