import { onlineManager, QueryClient, QueryClientProvider, type MutationOptions } from '@tanstack/react-query'
import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { drawComponent } from '../testing/draw-component.tsx'
import { queryClient } from './query-client.ts'

const modules = import.meta.glob<Record<string, unknown>>([
  '../{features,ui,platform,app}/**/*.{ts,tsx}',
  '!../**/*.test.{ts,tsx}',
])
const texts = import.meta.glob<string>(
  ['../{features,ui,platform,app}/**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}'],
  { query: '?raw', import: 'default', eager: true },
)

const mutationHooks = /\b(?:use(?:Change|Mutation)|(?:change|state)Hook)\(/g
const countHooks = (text: string) => [...text.matchAll(mutationHooks)].length

/** Every file that makes mutations, with their number; `use-change.ts` has the hook that the others use. */
const files = Object.entries(texts)
  .map(([file, text]) => ({ file, count: countHooks(text) }))
  .filter(({ file, count }) => count > 0 && file !== './use-change.ts')

type Hook = (...input: unknown[]) => unknown

function Use({ hooks }: { hooks: readonly Hook[] }) {
  // The hooks of a module are the same in each render.
  for (const hook of hooks) hook('melodies')
  return <p>{'Drawn'}</p>
}

/** Stands for any input: each of its fields is text, and has fields. */
const anyInput: unknown = new Proxy(() => 'x', {
  get: (_, name) => (name === Symbol.toPrimitive || name === 'toJSON' ? () => 'x' : anyInput),
})

let isOnline = true
const calls: string[] = []

function setOnline(wanted: boolean): void {
  isOnline = wanted
  // TanStack does the same at the browser's event.
  onlineManager.setOnline(wanted)
}

beforeEach(() => {
  calls.length = 0
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline)
  vi.stubGlobal('fetch', async (address: string | URL) => {
    if (isOnline) calls.push(String(address))
    throw new TypeError('Failed to fetch')
  })
  return () => setOnline(true)
})

it.each(files)('nothing of $file is sent when the line is back', async ({ file, count }) => {
  const exported = Object.entries((await modules[file]?.()) ?? {})
  const hooks = exported.flatMap(([name, value]) =>
    /^use[A-Z]/.test(name) && countHooks(String(value)) > 0 ? [value as Hook] : [],
  )
  const client = new QueryClient({ defaultOptions: queryClient.getDefaultOptions() })
  const completed = vi.spyOn(client, 'defaultMutationOptions')
  const { leave } = await drawComponent(
    <QueryClientProvider client={client}>
      <Use hooks={hooks} />
    </QueryClientProvider>,
  )
  await expect.element(page.getByText('Drawn')).toBeVisible()
  const byFunction = new Map<unknown, MutationOptions>()
  for (const { value } of completed.mock.results)
    byFunction.set((value as MutationOptions).mutationFn, value as MutationOptions)
  // A hook that is not exported, or inside a component, would not be tried.
  expect(byFunction.size).toBeGreaterThanOrEqual(count)

  setOnline(false)
  const mutations = [...byFunction.values()].map(options => {
    const mutation = client.getMutationCache().build(client, options)
    mutation.execute(anyInput as undefined).catch(() => undefined)
    return mutation
  })
  await expect.poll(() => mutations.filter(({ state }) => state.status === 'pending')).toEqual([])
  leave()
  setOnline(true)
  await client.resumePausedMutations()
  expect(calls).toEqual([])
})
