/** A file that breaks one rule, and the words that the check must report for it. */
export interface LintFixture {
  file: string
  text: string
  names: string
}

const uses = (specifier: string, form = 'import') =>
  form === 'type'
    ? `import type * as other from '${specifier}'\nexport type Other = typeof other\n`
    : `import * as other from '${specifier}'\nexport const others = [other]\n`

const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n')

/** At least one violation of each rule in `import-rules.ts`, and the other forms that an import takes. */
export const importFixtures: LintFixture[] = [
  { file: 'packages/contract/src/a.ts', text: uses('kysely'), names: 'contract depends on zod alone' },
  {
    file: 'packages/contract/src/b.ts',
    text: `export { pool } from 'pg'\n`,
    names: 'contract depends on zod alone',
  },
  { file: 'packages/client/src/a.ts', text: uses('zod'), names: 'client imports nothing' },
  { file: 'packages/planner/src/a.ts', text: uses('zod'), names: 'planner imports types of contract only' },
  {
    file: 'packages/playback/src/a.ts',
    text: uses('@floorcast/contract/groups.ts'),
    names: 'playback imports types of contract only',
  },
  { file: 'packages/device-client/src/a.ts', text: uses('ws'), names: 'device-client imports contract' },
  { file: 'packages/device-client/src/b.ts', text: uses('node:crypto'), names: 'never import node:*' },
  {
    file: 'packages/device-player/src/a.ts',
    text: uses('ws'),
    names: 'device-player imports contract',
  },
  {
    file: 'packages/manual/src/a.ts',
    text: uses('i18next'),
    names: 'manual imports contract and locales only',
  },
  { file: 'packages/locales/src/a.ts', text: uses('i18next'), names: 'locales imports contract only' },
  {
    file: 'apps/agent/src/a.ts',
    text: uses('@floorcast/server/src/main.ts'),
    names: 'no app imports an app',
  },
  {
    file: 'apps/server/src/server.ts',
    text: `export const load = () => import('@floorcast/demo/demo.ts')\n`,
    names: 'no app imports an app',
  },
  {
    file: 'apps/server/src/a.ts',
    text: uses('@floorcast/testing/browser.ts'),
    names: 'testing is for tests only',
  },
  {
    file: 'apps/fleet/src/a.ts',
    text: uses('../../../packages/contract/src/groups.ts'),
    names: 'another package is imported by its name',
  },
  { file: 'apps/console/src/ui/a.tsx', text: uses('node:fs'), names: 'never import node:*' },
  {
    file: 'apps/console/src/platform/b.ts',
    text: uses('@floorcast/manual/manual-plugin.ts'),
    names: 'tsconfig.browser.json checks what the console imports',
  },
  { file: 'packages/playback/src/b.ts', text: uses('crypto'), names: 'never import node:*' },
  {
    file: 'apps/console/src/platform/a.ts',
    text: uses('../features/groups/groups-data.ts'),
    names: 'console: the layers are platform, ui, features, app',
  },
  {
    file: 'apps/console/src/features/groups/a.tsx',
    text: uses('../../app/router.tsx'),
    names: 'console: the layers are platform, ui, features, app',
  },
  {
    file: 'apps/console/src/features/groups/b.tsx',
    text: `export const load = () => import('../devices/devices-data.ts')\n`,
    names: 'console: a feature never imports another',
  },
  {
    file: 'apps/server/src/platform/a.ts',
    text: uses('../features/groups/groups.ts', 'type'),
    names: 'server: the layers are platform, context, features, jobs, app and main',
  },
  {
    file: 'apps/server/src/features/groups/a.ts',
    text: uses('../../main.ts'),
    names: 'server: the layers are platform, context, features, jobs, app and main',
  },
  {
    file: 'apps/server/src/features/groups/b.ts',
    text: uses('../devices/devices-queries.ts'),
    names: "server: a feature imports only another's public file",
  },
  {
    file: 'apps/server/src/features/groups/groups.ts',
    text: uses('kysely', 'type'),
    names: 'only *-queries.ts, *-sql.ts and platform/database know Kysely',
  },
  {
    file: 'apps/server/src/features/groups/c.ts',
    text: uses('@fastify/static'),
    names: 'only *-routes.ts and platform/http know Fastify',
  },
  {
    file: 'apps/server/src/platform/http/receive/a.ts',
    text: uses('../answer/send-file.ts'),
    names: 'platform/http: the stages are admit, receive, answer, routes',
  },
  {
    file: 'apps/server/src/features/groups/d.ts',
    text: uses('../../platform/auth/password-cost.ts'),
    names: 'password-cost.ts is read by password.ts alone',
  },
  {
    file: 'apps/agent/src/player/a.ts',
    text: uses('../sync/session.ts'),
    names: 'agent: the layers are store, report, player, sync, update, main',
  },
  {
    file: 'apps/agent/src/player/a.ts',
    text: uses('../sync/session.ts'),
    names: 'sync alone talks to the server',
  },
  {
    file: 'apps/agent/src/store/b.ts',
    text: uses('@floorcast/device-client/session.ts'),
    names: 'sync alone talks to the server',
  },
  {
    file: 'apps/console/src/ui/a.css',
    text: `.card {\n  margin-left: 8px;\n}\n`,
    names: 'margin-left: use the logical property',
  },
  {
    file: 'apps/console/src/ui/b.tsx',
    text: `export const Gap = () => <Box pl="md" />\n`,
    names: 'pl: use the logical property',
  },
  {
    file: 'apps/console/src/ui/c.tsx',
    text: `export const gap = { paddingRight: 4 }\n`,
    names: 'paddingRight: use the logical property',
  },
]

/** Allowed imports and styles in the same folders: no check may report any of these. */
export const cleanFixtures: Omit<LintFixture, 'names'>[] = [
  { file: 'packages/contract/src/fine.ts', text: uses('zod') + `export type { Code } from './codes.ts'\n` },
  { file: 'packages/contract/src/codes.ts', text: 'export type Code = number\n' },
  { file: 'packages/playback/src/fine.ts', text: uses('@floorcast/contract/codes.ts', 'type') },
  { file: 'apps/server/src/features/groups/groups-queries.ts', text: uses('kysely', 'type') },
  { file: 'apps/server/src/features/groups/groups-routes.ts', text: uses('fastify', 'type') },
  { file: 'apps/server/src/features/groups/groups-access.ts', text: uses('../devices/devices.ts', 'type') },
  {
    file: 'apps/server/src/features/groups/groups.test.ts',
    text: uses('@floorcast/testing/browser.ts', 'type'),
  },
  { file: 'apps/server/src/features/devices/devices.ts', text: 'export const deviceLimit = 3\n' },
  { file: 'apps/demo/src/fine.ts', text: uses('@floorcast/server/features/devices/devices.ts') },
  { file: 'packages/device-client/src/session.ts', text: uses('zod') },
  { file: 'packages/device-client/src/wait.ts', text: `export const wait = 1\n` },
  { file: 'packages/device-client/src/ws-socket.ts', text: uses('ws') },
  { file: 'apps/agent/src/sync/session.ts', text: uses('@floorcast/device-client/session.ts') },
  { file: 'apps/agent/src/store/c.ts', text: uses('@floorcast/device-client/session.ts', 'type') },
  { file: 'apps/agent/src/player/b.ts', text: uses('@floorcast/device-client/wait.ts') },
  {
    file: 'apps/console/src/ui/fine.css',
    text: '.card {\n  margin-inline-start: 8px; /* not margin-left: */\n}\n',
  },
  { file: 'apps/console/src/ui/fine.ts', text: 'export const gap = { paddingInlineEnd: 4 }\n' },
]

const pure = (code: string) => `export const value: unknown = ${code}\n`

/** One violation of each rule that oxlint enforces, and the rule's name in its report. */
export const lintFixtures: LintFixture[] = [
  ...[
    'new Date(0)',
    'globalThis.Date',
    'performance.now()',
    'crypto.randomUUID()',
    'process.env',
    "fetch('/')",
  ].map((code, n) => ({
    file: `packages/playback/src/pure-${n}.ts`,
    text: pure(code),
    names: 'no-restricted-globals',
  })),
  ...[
    'setTimeout(() => {}, 1)',
    'setInterval(() => {}, 1)',
    'setImmediate(() => {})',
    'queueMicrotask(() => {})',
  ].map((code, n) => ({
    file: `packages/planner/src/timer-${n}.ts`,
    text: pure(code),
    names: 'no-restricted-globals',
  })),
  { file: 'packages/planner/src/dice.ts', text: pure('Math.random()'), names: 'no-restricted-properties' },
  ...["fetch('/')", 'new WebSocket(url)', 'performance.now()', 'process.env'].map((code, n) => ({
    file: `packages/device-client/src/injected-${n}.ts`,
    text: pure(code).replace('export', `const url = '/'\nexport const used = url\nexport`),
    names: 'no-restricted-globals',
  })),
  ...['Date.now()', 'Math.random()'].map((code, n) => ({
    file: `packages/device-client/src/drawn-${n}.ts`,
    text: pure(code),
    names: 'no-restricted-properties',
  })),
  { file: 'apps/agent/src/player/calls.ts', text: pure(`fetch('/')`), names: 'no-restricted-globals' },
  ...['import', 'import type'].flatMap((form, n) =>
    ['ab', 'ba'].map(([own, other]) => ({
      file: `apps/server/src/round-${n}-${own}.ts`,
      text: `${form} { ${other} } from './round-${n}-${other}.ts'\nexport const ${own} = 1\nexport type Other = typeof ${other}\n`,
      names: 'no-cycle',
    })),
  ),
  {
    file: 'apps/server/src/long.ts',
    text: lines(301, n => `export const n${n} = ${n}`) + '\n',
    names: 'max-lines',
  },
  {
    file: 'apps/server/src/long-function.ts',
    text: `export function long(list: number[]) {\n${lines(61, n => `  list.push(${n})`)}\n}\n`,
    names: 'max-lines-per-function',
  },
  {
    file: 'apps/server/src/many.ts',
    text: `export const many = (a: number, b: number, c: number, d: number) => a + b + c + d\n`,
    names: 'max-params',
  },
  {
    file: 'apps/server/src/any.ts',
    text: `export const loose = (x: unknown) => x as any\n`,
    names: 'no-explicit-any',
  },
  {
    file: 'apps/server/src/float.ts',
    text: `const later = () => Promise.resolve(1)\nexport function go() {\n  later()\n}\n`,
    names: 'no-floating-promises',
  },
  {
    file: 'apps/server/src/misused.ts',
    text: `export const go = (list: number[]) => list.forEach(async n => void (await Promise.resolve(n)))\n`,
    names: 'no-misused-promises',
  },
  {
    file: 'apps/server/src/silenced.ts',
    text: `// @ts-${'ignore'}\nexport const x: number = 1\n`,
    names: 'ban-ts-comment',
  },
  {
    file: 'apps/server/src/disabled.ts',
    text: `// oxlint-${'disable'}-next-line no-var\nexport const x = 1\n`,
    names: 'Unused',
  },
  {
    file: 'apps/server/src/bang.ts',
    text: `export const f = (x?: string) => x!\n`,
    names: 'no-non-null-assertion',
  },
  {
    file: 'apps/server/src/later.ts',
    text: `// TO${'DO'} finish\nexport const x = 1\n`,
    names: 'no-warning-comments',
  },
  { file: 'apps/server/src/standard.ts', text: `export default 1\n`, names: 'no-default-export' },
  { file: 'apps/server/src/CamelCase.ts', text: `export const x = 1\n`, names: 'filename-case' },
  {
    file: 'apps/console/src/ui/words.tsx',
    text: `export const Words = () => <p>Turn it off first</p>\n`,
    names: 'jsx-no-literals',
  },
  {
    file: 'apps/console/src/ui/label.tsx',
    text: `export const Label = () => <input aria-label="Search" />\n`,
    names: 'jsx-no-literals',
  },
  {
    file: 'apps/server/src/skipped.test.ts',
    text: `import { expect, it } from 'vitest'\nit.${'skip'}('waits', () => expect(1).toBe(1))\n`,
    names: 'no-disabled-tests',
  },
  {
    file: 'apps/server/src/focused.test.ts',
    text: `import { expect, it } from 'vitest'\nit.${'only'}('runs alone', () => expect(1).toBe(1))\n`,
    names: 'no-focused-tests',
  },
]
