import { CallError } from '@floorcast/contract/client.ts'
import { expect, it } from 'vitest'
import type { ReceivedFile } from '../../platform/download.ts'
import { receiveReport, type ReceiveSteps } from './report-download.ts'

const file: ReceivedFile = { bytes: new Blob(['a']), fileName: 'a.csv' }
const busy = (retryAfterSeconds: number | null) => new CallError(429, null, { retryAfterSeconds })

/** Runs a download whose attempts end in the given answers. */
async function run(answers: (CallError | ReceivedFile)[], more: Partial<ReceiveSteps> = {}) {
  const waited: number[] = []
  const shown: number[] = []
  const stop = new AbortController()
  const steps: ReceiveSteps = {
    signal: stop.signal,
    receive: async onBytes => {
      const answer = answers.shift() ?? file
      if (answer instanceof CallError) throw answer
      for (const bytes of [1, 2, 3]) onBytes(bytes)
      return answer
    },
    onBytes: bytes => void shown.push(bytes),
    onWait: seconds => void waited.push(seconds),
    pause: async () => undefined,
    nowMs: () => 0,
    ...more,
  }
  return { waited, shown, stop, result: await receiveReport(steps).catch((error: unknown) => error) }
}

it('a report waits as long as a busy server asks, and shows bytes now and then', async () => {
  const { result, waited, shown } = await run([busy(3), busy(null), busy(900)])
  expect(result).toBe(file)
  expect(waited).toEqual([3, 5, 60])
  expect(shown).toEqual([1])
})

it('a report is not asked for again after a refusal, a broken connection or too many attempts', async () => {
  for (const status of [0, 413, 422]) {
    const refused = new CallError(status, null)
    expect(await run([refused])).toMatchObject({ result: refused, waited: [] })
  }
  const { result, waited } = await run(Array.from({ length: 40 }, () => busy(1)))
  expect(result).toMatchObject({ status: 429 })
  expect(waited).toHaveLength(30)
})

it('a report ends when it is cancelled during a wait', async () => {
  const stop = new AbortController()
  const pause = async () => stop.abort()
  const { result } = await run([busy(1)], { signal: stop.signal, pause })
  expect(result).toMatchObject({ name: 'AbortError' })
})
