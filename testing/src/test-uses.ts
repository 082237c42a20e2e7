import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { endpoints } from '@floorcast/contract/endpoints.ts'

/** The parts that a test file uses beyond its imports: through a server, a browser, or a program that it starts. */
export interface TestUses {
  file: string
  /** Names of the contract's calls, `groups.addGroup`. */
  calls: string[]
  /** Parts of the console that a browser has loaded, by the names of their files: `groups-page`. */
  parts: string[]
  /** Programs as paths from the root. */
  programs: string[]
}

const root = join(import.meta.dirname, '../..')

const matchers = endpoints
  .map(({ noun, name, endpoint }) => ({
    call: `${noun}.${name}`,
    endpoint,
    steps: endpoint.path.split('/'),
    words: endpoint.path.split('/').filter(step => !step.startsWith('{')).length,
  }))
  // `/device/edit` before `/{contentType}/edit`.
  .toSorted((one, other) => other.words - one.words)

const fits = (steps: readonly string[], asked: readonly string[]) =>
  steps.length === asked.length && steps.every((step, index) => step.startsWith('{') || step === asked[index])

/** The contract's call that a request asks for; undefined for what it does not describe. */
export function callOf(method: string, path: string) {
  const asked = path.split('/')
  return matchers.find(({ endpoint, steps }) => endpoint.method === method && fits(steps, asked))
}

const newUses = () => ({ calls: new Set<string>(), parts: new Set<string>(), programs: new Set<string>() })
let uses = newUses()

export const beginUses = (): void => void (uses = newUses())

export const noteCall = (call: string): void => void uses.calls.add(call)

/** Notes a request of a browser: a call, or a part of the console. */
export function noteRequest(method: string, url: string): void {
  const { pathname } = new URL(url)
  const part = /^\/assets\/(.+)-[^-]+\.js$/.exec(pathname)?.[1]
  if (part !== undefined) uses.parts.add(part)
  const match = callOf(method, pathname)
  if (match) noteCall(match.call)
}

/** Notes the requests in what a server has written. */
export function noteLog(lines: string): void {
  for (const [, method = '', path = ''] of lines.matchAll(/"method":"([A-Z]+)","path":"([^"]+)"/g)) {
    const match = callOf(method, path)
    if (match) noteCall(match.call)
  }
}

export const noteProgram = (path: string): void => void uses.programs.add(relative(root, path))

/** Writes what a file used to the folder that `npm test` names. */
export function keepUses(path: string): void {
  const folder = process.env['TEST_USES']
  if (!folder) return
  const { calls, parts, programs } = uses
  const kept: TestUses = {
    file: relative(root, path),
    calls: [...calls].toSorted(),
    parts: [...parts].toSorted(),
    programs: [...programs].toSorted(),
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(kept))
}
