import { mkdirSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { endpoints } from '@floorcast/contract/endpoints.ts'
import { outcomes } from '@floorcast/contract/outcomes.ts'
import type { Log } from '@floorcast/server/platform/log/log.ts'
import { makeLog } from '@floorcast/server/platform/log/log.ts'
import { expect } from 'vitest'
import { callOf, noteCall } from './test-uses.ts'

/** The outcome of a call in a test: `200` is the code, `HTTP 404` the status without a code. */
export interface Reached {
  /** The endpoint's name in the contract, `groups.addGroup`. */
  call: string
  end: string
  /** `apps/server/src/app.test.ts › name of the test`. */
  test: string
}

interface RequestLine {
  msg?: string
  method?: string
  path?: string
  status?: number
  outcome?: number | string
}

const declared = new Map(
  endpoints.map(({ noun, name, endpoint }) => [
    `${noun}.${name}`,
    endpoint.outcomes.map(outcome => outcomes[outcome] as number),
  ]),
)

/**
 * A log that writes nothing and records the outcome of each call, from the line that the server logs for each request. `keep`
 * writes the records to the folder that `npm test` names. A test file fails if a call ended in an outcome that it does not
 * declare. A whole run fails if no test reached a declared outcome; a run of some files does not check this.
 */
export function rememberCalls(): { log: Log; keep: () => void; undeclared: Set<string> } {
  const seen = new Map<string, Reached>()
  const undeclared = new Set<string>()
  const log = makeLog('info', {
    write(text) {
      const line = JSON.parse(text) as RequestLine
      if (line.msg !== 'request' || !line.method || !line.path) return
      const match = callOf(line.method, line.path)
      if (!match) return
      noteCall(match.call)
      const isCode = line.status === 200 && typeof line.outcome === 'number'
      const end = isCode ? String(line.outcome) : `HTTP ${line.status}`
      if (isCode && !declared.get(match.call)?.includes(Number(line.outcome)))
        undeclared.add(`${match.call} ended in ${end}, which the contract does not declare`)
      const { testPath = '', currentTestName = '' } = expect.getState()
      const test = `${testPath.slice(process.cwd().length + 1)} › ${currentTestName}`
      seen.set(`${match.call} ${end} ${test}`, { call: match.call, end, test })
    },
  })
  const keep = () => {
    const folder = process.env['REACHED_CALLS']
    if (!folder || seen.size === 0) return
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify([...seen.values()]))
  }
  return { log, keep, undeclared }
}
