/** One import, both ends as paths from the repository's root; a package of the registry is `npm:NAME`, Node's own `node:NAME`. */
export interface Import {
  from: string
  to: string
  /** The specifier as it is written. */
  specifier: string
  line: number
  typeOnly: boolean
  /** `import()` */
  isDynamic: boolean
}

interface Rule {
  says: string
  /** The rule is about the layers of an app: what it forbids is an upward import. */
  isUpward?: true
  isBroken: (found: Import) => boolean
}

export const isTest = (file: string) => /\.(test|slow|long|attack)\.tsx?$/.test(file)
const isTestTool = (file: string) => /^(testing|e2e|bench|tools|apps\/console\/src\/testing)\//.test(file)

/** `packages/contract` or `apps/server`; the folder itself where there is no second level of workspaces. */
const workspaceOf = (file: string) => /^(?:(?:apps|packages)\/[^/]+|[^/]+)/.exec(file)?.[0] ?? file

/** The layers of each app, lowest first, as paths below its `src`: a file may import its own layer and lower ones. */
const layers: Readonly<Record<string, readonly RegExp[]>> = {
  server: [/^(platform\/|version\.ts)/, /^context\.ts/, /^features\//, /^jobs\//, /./],
  console: [/^platform\//, /^ui\//, /^features\//, /./],
  agent: [/^store\//, /^report\//, /^player\//, /^sync\//, /^update\//, /./],
}

const upward = (app: string, says: string): Rule => ({
  says: `${app}: ${says}`,
  isUpward: true,
  isBroken({ from, to }) {
    const src = `apps/${app}/src/`
    if (!from.startsWith(src) || !to.startsWith(src) || isTest(from)) return false
    const layerOf = (file: string) =>
      (layers[app] ?? []).findIndex(layer => layer.test(file.slice(src.length)))
    return layerOf(from) < layerOf(to)
  },
})

const feature = (file: string) => /^apps\/[^/]+\/src\/features\/([^/]+)\/(.+)$/.exec(file)

/** In a package that may import `allowed` and itself, and nothing else; its tests may use what they like. */
const only = (name: string, allowed: (found: Import) => boolean) => (found: Import) =>
  found.from.startsWith(`packages/${name}/src/`) &&
  !isTest(found.from) &&
  !found.to.startsWith(`packages/${name}/`) &&
  !allowed(found)

const isContract = (found: Import) => found.to.startsWith('packages/contract/')
const isContractType = (found: Import) => isContract(found) && found.typeOnly

/** The parts that device-client shares with players beside the calls: clocks, the log of plays, manifests and alerts. */
const withoutNetwork =
  /\/(wait|clock|server-time|reporting-clock|play-log|manifest-store|alert-notices|state-store|volume-control)\.ts$/

/** The import rules, one a row. `docs/decisions/0030` gives the reasons. */
export const rules: readonly Rule[] = [
  { says: 'contract depends on zod alone', isBroken: only('contract', ({ to }) => to === 'npm:zod') },
  { says: 'client imports nothing: integrators install it alone', isBroken: only('client', () => false) },
  { says: 'planner imports types of contract only', isBroken: only('planner', isContractType) },
  { says: 'playback imports types of contract only', isBroken: only('playback', isContractType) },
  {
    says: 'device-client imports contract and playback only (zod, and ws in ws-socket.ts)',
    isBroken: only(
      'device-client',
      ({ from, to }) =>
        /^packages\/(contract|playback)\//.test(to) ||
        to === 'npm:zod' ||
        (to === 'npm:ws' && from === 'packages/device-client/src/ws-socket.ts'),
    ),
  },
  {
    says: 'device-player imports contract, playback and what device-client has without network',
    isBroken: only(
      'device-player',
      ({ to, typeOnly }) =>
        /^packages\/(contract|playback)\//.test(to) ||
        (to.startsWith('packages/device-client/') && (typeOnly || withoutNetwork.test(to))),
    ),
  },
  {
    says: 'locales imports contract only (and Node, to read its catalogues)',
    isBroken: only('locales', found => isContract(found) || found.to.startsWith('node:')),
  },
  {
    says: 'manual imports contract and locales only (and Node, and marked)',
    isBroken: only(
      'manual',
      ({ to }) => /^packages\/(contract|locales)\//.test(to) || to.startsWith('node:') || to === 'npm:marked',
    ),
  },
  {
    says: 'no app imports an app but demo, which runs the server; no package does',
    isBroken: ({ from, to }) =>
      /^(apps|packages)\//.test(from) &&
      to.startsWith('apps/') &&
      workspaceOf(from) !== workspaceOf(to) &&
      !(from.startsWith('apps/demo/') && to.startsWith('apps/server/')),
  },
  {
    says: 'testing is for tests only',
    isBroken: ({ from, to }) =>
      /^(apps\/console\/src\/)?testing\//.test(to) && !isTest(from) && !isTestTool(from),
  },
  {
    says: 'tsconfig.browser.json checks what the console imports from packages; a new one is named there',
    isBroken: ({ from, to }) =>
      from.startsWith('apps/console/src/') &&
      !isTest(from) &&
      /^packages\/(?!(planner|playback|contract|device-client|device-player|locales|sample-media)\/)/.test(
        to,
      ),
  },
  {
    says: 'another package is imported by its name, not by a path',
    isBroken: ({ from, to, specifier }) =>
      /^(apps|packages)\//.test(from) && specifier.startsWith('.') && workspaceOf(from) !== workspaceOf(to),
  },
  {
    says: 'console, planner, playback, contract, device-client and device-player never import node:*',
    isBroken: ({ from, to }) =>
      /^(apps\/console|packages\/(planner|playback|contract|device-client|device-player))\/src\//.test(
        from,
      ) &&
      !isTest(from) &&
      to.startsWith('node:'),
  },
  upward('console', 'the layers are platform, ui, features, app; no import points upward'),
  {
    says: 'console: a feature never imports another',
    isBroken: ({ from, to }) =>
      to.startsWith('apps/console/') && feature(from) !== null && isOther(feature(from), feature(to)),
  },
  upward('server', 'the layers are platform, context, features, jobs, app and main; no import points upward'),
  {
    says: "server: a feature imports only another's public file, <noun>.ts, or its SQL fragments, <noun>-sql.ts; its tests start its calls",
    isBroken({ from, to }) {
      const target = feature(to)
      if (!to.startsWith('apps/server/') || !isOther(feature(from), target)) return false
      if (isTest(from) && to.endsWith('-routes.ts')) return false
      return target?.[2] !== `${target?.[1]}.ts` && target?.[2] !== `${target?.[1]}-sql.ts`
    },
  },
  {
    says: 'only *-queries.ts, *-sql.ts and platform/database know Kysely',
    isBroken: ({ from, to }) =>
      to === 'npm:kysely' &&
      !/-(queries|sql)(\.test)?\.ts$|\/platform\/database\//.test(from) &&
      !from.startsWith('testing/'),
  },
  {
    says: 'only *-routes.ts and platform/http know Fastify',
    isBroken: ({ from, to }) =>
      /^npm:(fastify|@fastify\/.+|fastify-.+)$/.test(to) &&
      !/-routes(\.test)?\.ts$|\/platform\/http\//.test(from),
  },
  {
    says: 'platform/http: the stages are admit, receive, answer, routes; no import points to a later one',
    isBroken: ({ from, to }) =>
      !isTest(from) && httpStageOf(from) >= 0 && httpStageOf(from) < httpStageOf(to),
  },
  {
    says: 'password-cost.ts is read by password.ts alone; only tests change it',
    isBroken: ({ from, to }) =>
      to.endsWith('/auth/password-cost.ts') &&
      !from.endsWith('/auth/password.ts') &&
      !isTest(from) &&
      !isTestTool(from),
  },
  upward('agent', 'the layers are store, report, player, sync, update, main; no import points upward'),
  {
    says: 'agent: the player plays from disk only; sync alone talks to the server',
    isBroken: ({ from, to, typeOnly }) =>
      /^apps\/agent\/src\/(player|report|store)\//.test(from) &&
      !isTest(from) &&
      (to === 'packages/contract/src/client.ts' ||
        to.startsWith('apps/agent/src/sync/') ||
        (to.startsWith('packages/device-client/') && !typeOnly && !withoutNetwork.test(to))),
  },
]

/** The place of a file's folder in `platform/http`; -1 for other files. */
function httpStageOf(file: string): number {
  const folder = /^apps\/server\/src\/platform\/http\/(\w+)\//.exec(file)?.[1] ?? ''
  return ['admit', 'receive', 'answer', 'routes'].indexOf(folder)
}

function isOther(here: RegExpExecArray | null, there: RegExpExecArray | null): boolean {
  return here !== null && there !== null && here[1] !== there[1]
}

/** The imports from a lower layer of an app to a higher one. */
export const findUpwardImports = (imports: readonly Import[]): Import[] =>
  imports.filter(found => rules.some(rule => rule.isUpward && rule.isBroken(found)))

/** One line for each violation: file and line, import, rule. */
export const findViolations = (imports: readonly Import[]): string[] =>
  imports.flatMap(found =>
    rules
      .filter(rule => rule.isBroken(found))
      .map(rule => `${found.from}:${found.line} imports ${found.specifier}: ${rule.says}`),
  )
