import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { virtualModules } from './apps/console/vite.config.ts'
import { BROWSER_FLAGS, findChromium } from './testing/src/browser.ts'
import { LongestFirst } from './tools/longest-first.ts'
import { requireOwnNode } from './tools/own-node.ts'
import { WITH_MORE_RUNS } from './tools/slices.ts'

requireOwnNode(process.versions.node)

/** Tests that want the shared PostgreSQL; each of their files clones a template database from it. */
const postgres = 'testing/src/postgres-global-setup.ts'

const minute = 60_000

/** Claims that are asked again until they hold; a busy machine is slow, and only a hang takes as long. */
const slowPoll = { poll: { timeout: 15_000 } }

const componentTests = 'apps/console/src/**/*.browser.test.tsx'

/**
 * What components import from the registry. Vite bundles it before the first test: a package that it finds later reloads the page
 * under a running test.
 */
const bundledForComponents = [
  '@mantine/core',
  '@mantine/form',
  '@mantine/hooks',
  '@mantine/notifications',
  '@tabler/icons-react',
  '@tanstack/react-query',
  'axe-core',
  'echarts/charts',
  'echarts/components',
  'echarts/core',
  'echarts/features',
  'echarts/renderers',
  'i18next',
  'idb-keyval',
  'react',
  'react-dom',
  'react-dom/client',
  'react-router',
  'react-router/dom',
  'react/jsx-dev-runtime',
  'react/jsx-runtime',
  'tus-js-client',
  'zod',
]

/** The Chromium of the tests; none is needed to list or to type-check them. */
function chromiumOrNone(): { executablePath?: string } {
  try {
    return { executablePath: findChromium() }
  } catch {
    return {}
  }
}

/**
 * One runner for everything. `npm test` runs all projects but `slow`, `long` and `attack`; `npm run test:long` and
 * `npm run test:attack` run those.
 * `e2e`, `slow` and `long` drive whole processes, so they come after the rest; `long` one file at a time. No test has a second try.
 */
export default defineConfig({
  test: {
    // Two cores are what the project promises to be tested on; more workers only make timings worse there.
    maxWorkers: 2,
    // Files of a worker share the modules that they import: loading the server again for each took a third of the run.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    setupFiles: ['testing/src/each-file-setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: [
            'packages/!(client|embedded-postgres)/src/**/*.test.ts',
            'apps/demo/src/**/*.test.ts',
            'tools/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          exclude: ['tools/conformance/small-player.test.ts'],
          testTimeout: minute,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          expect: slowPoll,
          include: ['{apps/server,packages/client,packages/embedded-postgres,testing}/**/*.test.ts'],
          globalSetup: [postgres],
          testTimeout: 3 * minute,
          hookTimeout: 2 * minute,
        },
      },
      {
        extends: true,
        test: {
          name: 'devices',
          include: [
            'apps/agent/**/*.test.ts',
            'apps/fleet/**/*.test.ts',
            'tools/conformance/small-player.test.ts',
          ],
          globalSetup: [postgres],
          testTimeout: 3 * minute,
          hookTimeout: 2 * minute,
          // Most of their time they wait for what plays.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        plugins: [virtualModules()],
        test: {
          name: 'console',
          include: ['apps/console/src/**/*.test.{ts,tsx}'],
          exclude: [componentTests],
        },
      },
      {
        extends: true,
        plugins: [virtualModules()],
        optimizeDeps: { include: bundledForComponents, noDiscovery: true },
        test: {
          name: 'components',
          expect: slowPoll,
          include: [componentTests],
          setupFiles: ['apps/console/src/testing/component-setup.ts'],
          testTimeout: minute / 2,
          isolate: false,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { ...chromiumOrNone(), args: [...BROWSER_FLAGS] },
              // Nothing moves: a transition would only be waited for.
              contextOptions: { locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' },
              actionTimeout: 10_000,
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          expect: slowPoll,
          include: ['e2e/src/**/*.test.ts'],
          globalSetup: [postgres],
          testTimeout: 5 * minute,
          hookTimeout: 2 * minute,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          expect: slowPoll,
          include: ['{apps,packages,e2e}/**/src/**/*.slow.ts', 'tools/**/*.slow.ts'],
          globalSetup: [postgres],
          testTimeout: 5 * minute,
          hookTimeout: 2 * minute,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          expect: slowPoll,
          include: ['{apps,packages,bench,e2e}/**/src/**/*.long.ts', ...WITH_MORE_RUNS],
          env: { MANY_RUNS: 'yes' },
          globalSetup: [postgres],
          testTimeout: 60 * minute,
          hookTimeout: 5 * minute,
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: {
          name: 'attack',
          include: ['apps/server/src/**/*.attack.ts'],
          globalSetup: [postgres],
          testTimeout: 15 * minute,
          hookTimeout: 5 * minute,
          maxWorkers: 1,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
})
