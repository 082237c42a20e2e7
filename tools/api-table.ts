import { readFileSync } from 'node:fs'
import { type FormatConfig, format } from 'oxfmt'
import type { Endpoint } from '../packages/contract/src/endpoint.ts'
import { endpoints } from '../packages/contract/src/endpoints.ts'
import { outcomes } from '../packages/contract/src/outcomes.ts'
import { apiTests } from './test-record.ts'
import { type SpecCall, specCalls } from './spec-calls.ts'

export interface NamedCall {
  name: string
  endpoint: Endpoint
}

const all: readonly NamedCall[] = endpoints.map(({ noun, name, endpoint }) => ({
  name: `${noun}.${name}`,
  endpoint,
}))

/** `/a/{b|c}/d` as `/a/b/d` and `/a/c/d`. */
function expand(path: string): string[] {
  const [whole, words] = /\{([^{}]*\|[^{}]*)\}/.exec(path) ?? []
  if (whole === undefined || words === undefined) return [path]
  return words.split('|').map(word => path.replace(whole, word))
}

const isParameter = (step: string) => step.startsWith('{')
const nameOf = (step: string) => step.slice(1, -1)

/** Does the endpoint answer this path of the specification: its words where words stand, its parameters by their names? */
function answers({ method, path, params }: Endpoint, asked: { method: string; path: string }): boolean {
  const [own, wanted] = [path.split('/'), asked.path.split('/')]
  if (method !== asked.method || own.length !== wanted.length) return false
  const words: Record<string, string> = {}
  for (const [index, step] of own.entries()) {
    const want = wanted[index] ?? ''
    if (step === want) continue
    if (!isParameter(step) || isParameter(want)) return false
    words[nameOf(step)] = want
  }
  const checked = params as unknown as {
    shape?: Record<string, { safeParse: (word: string) => { success: boolean } }>
  }
  return Object.entries(words).every(([name, word]) => checked.shape?.[name]?.safeParse(word).success)
}

/** The one call of the contract behind a call of the specification; null where a path of it has none. */
export function callBehind({ method, path }: SpecCall): NamedCall | null {
  const found = expand(path).map(one => all.find(({ endpoint }) => answers(endpoint, { method, path: one })))
  const [first] = found
  return first && found.every(one => one === first) ? first : null
}

const cell = (text: string) => text.replaceAll('|', '\\|')
const phrase = (summary: string) => summary.split(/(?<=\.)\s/)[0] ?? summary

function row({ method, path }: SpecCall, { name, endpoint }: NamedCall): string {
  const ends = endpoint.outcomes.map(outcome => outcomes[outcome]).join(', ')
  const [file = '', test = ''] = (apiTests[name] ?? '').split(' › ')
  const shown = `[${test}](../${file})`
  return `| ${method} | \`${cell(path)}\` | ${cell(phrase(endpoint.summary))} | ${ends || 'data'} | ${cell(shown)} |`
}

const HEAD = '| method | path | what it does | outcomes | test |\n| --- | --- | --- | --- | --- |'

const INTRO = `# API calls

Generated from the contract by \`npm run docs:api\`; do not edit. The calls of the [specification](specification.md#7-calls) come first, in its order and
wording, then the calls that Floorcast adds. \`/docs\` on a running server shows every field,
and the [typed client](../packages/client/README.md) has each call for TypeScript. A call that changes something answers HTTP 200 with an outcome
code (column \`outcomes\`); \`data\` means that the call returns what was asked for. The codes: 200 done, 303 some items failed for different reasons,
400 not done, 409 in use, 901 wrong file type, 902 the name exists, 903 not enough storage, 911 not an M3U file, 912 files missing, 921 in a playlist or
publication. Status changes: 0 turned on, 1 another publication is in force or the item is in use, 2 group paused, 3 playlist paused, 8 delayed start
off, 9 off or being edited, -1 not allowed, -2 inconsistent. \`npm test\` fails if no test reached an outcome or if a test in this table did not make its call.`

function section({ section: title, calls }: (typeof specCalls)[number]): string {
  const rows = calls.flatMap(call => {
    const behind = callBehind(call)
    return behind ? [row(call, behind)] : []
  })
  return `## ${title}\n\n${HEAD}\n${rows.join('\n')}`
}

const keyOf = ({ endpoint }: NamedCall) => `${endpoint.path} ${endpoint.method}`

const OPTIONS = new URL('../.oxfmtrc.json', import.meta.url)

/** A page of `docs` as `npm run format` writes it. */
export async function formatPage(text: string): Promise<string> {
  const options = JSON.parse(readFileSync(OPTIONS, 'utf8')) as FormatConfig
  const { code, errors } = await format('page.md', text, { ...options, proseWrap: 'never' })
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  return code
}

/**
 * The text of docs/api.md, from the calls of the specification (`spec-calls.ts`, data because the specification is
 * prose), the contract (what each call does and how it ends) and one test for each call (`api-tests.json`). A test compares
 * it with the file. A whole run of `npm test` checks that each named test made its call, and that the client that knows
 * only the specification (`spec-client.test.ts`) made every call of the specification.
 */
export async function makeApiTable(): Promise<string> {
  const specified = new Set(specCalls.flatMap(({ calls }) => calls.map(callBehind)))
  const added = all.filter(call => !specified.has(call))
  const inOrder = added.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  const more = inOrder.map(call => row(call.endpoint as SpecCall, call)).join('\n')
  const text = [INTRO, ...specCalls.map(section), `## What Floorcast adds\n\n${HEAD}\n${more}`].join('\n\n')
  return formatPage(text)
}
