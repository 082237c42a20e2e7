import { CallError } from '@floorcast/contract/client.ts'
import type { importDevices } from '@floorcast/contract/device-import.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { expect, it } from 'vitest'
import { pauseFor } from '../../platform/pause.ts'
import { noTexts } from './check-rows.ts'
import {
  findLeftOut,
  noProgress,
  readRefusedLines,
  sendImport,
  type ImportJob,
  type ImportProgress,
} from './send-import.ts'

const importUid = '01933d4e-0000-7000-8000-000000000001'
const job: ImportJob = {
  importUid,
  kind: 'audio',
  existing: 'refuse',
  leftOut: [],
  rows: Array.from({ length: 2500 }, (_, n) => ({
    line: n + 2,
    name: `Shop ${n}`,
    storeNumber: '',
    description: '',
  })),
}

/** A server that answers the calls in turn: with the number of rows, or with an error. */
function makeServer(answers: readonly ('ok' | Error)[]) {
  const calls: BodyOf<typeof importDevices>[] = []
  const seen: ImportProgress[] = []
  const pauses: number[] = []
  const stop = new AbortController()
  const options = {
    signal: stop.signal,
    send: (body: BodyOf<typeof importDevices>) => {
      calls.push(body)
      const answer = answers[calls.length - 1] ?? 'ok'
      return answer === 'ok'
        ? Promise.resolve({ added: body.rows.length - 1, skippedLines: [body.rows[0]?.line ?? 0] })
        : Promise.reject(answer)
    },
    onProgress: (progress: ImportProgress) => void seen.push(progress),
    pause: (seconds: number) => Promise.resolve(void pauses.push(seconds)),
  }
  return { options, calls, seen, pauses, stop }
}

it('an import is sent by a thousand', async () => {
  const { options, calls, seen } = makeServer([])
  const end = await sendImport(job, noProgress, options)
  expect(calls.map(({ rows }) => rows.length)).toEqual([1000, 1000, 500])
  expect(new Set(calls.map(call => call.importUid))).toEqual(new Set([importUid]))
  expect(seen.map(({ sent }) => sent)).toEqual([1000, 2000, 2500])
  expect(end).toEqual({ sent: 2500, added: 2497, skippedLines: [2, 1002, 2002] })
})

it('an import names a group by its uid alone', async () => {
  const { options, calls } = makeServer([])
  const rows = job.rows.slice(0, 1).map(row => ({ ...row, group: 'North', groupUid: importUid }))
  await sendImport({ ...job, rows }, noProgress, options)
  expect(calls[0]?.rows[0]).toEqual({ ...job.rows[0], groupUid: importUid })
})

it('an import goes on after an error with the call that failed', async () => {
  const { options, calls, seen } = makeServer(['ok', new CallError(0, null)])
  await expect(sendImport(job, noProgress, options)).rejects.toThrow('No answer')
  await sendImport(job, seen.at(-1) ?? noProgress, options)
  expect(calls.map(({ rows }) => rows[0]?.line)).toEqual([2, 1002, 1002, 2002])
})

it('an import comes back when a busy server asks for it, and not for ever', async () => {
  const busy = new CallError(503, null, { retryAfterSeconds: 7 })
  const once = makeServer([busy])
  await sendImport(job, noProgress, once.options)
  expect(once.pauses).toEqual([7])
  const forever = makeServer(Array.from({ length: 9 }, () => busy))
  await expect(sendImport(job, noProgress, forever.options)).rejects.toBe(busy)
  expect(forever.calls).toHaveLength(5)
})

it('an import stops between two calls', async () => {
  const { options, calls, stop } = makeServer([])
  const onProgress = () => stop.abort()
  expect(await sendImport(job, noProgress, { ...options, onProgress })).toMatchObject({ sent: 1000 })
  expect(calls).toHaveLength(1)
})

it('an import stops during the pause that a busy server asks for', async () => {
  const busy = new CallError(503, null, { retryAfterSeconds: 30 })
  const { options, calls, stop } = makeServer(['ok', busy])
  const end = sendImport(job, noProgress, {
    ...options,
    pause: (seconds, signal) => {
      setTimeout(() => stop.abort())
      return pauseFor(seconds, signal)
    },
  })
  expect(await end).toMatchObject({ sent: 1000 })
  expect(calls).toHaveLength(2)
})

it('an import has stopped if the call under way is refused by a busy server', async () => {
  const { options, stop } = makeServer([])
  const send = () => {
    stop.abort()
    return Promise.reject(new CallError(503, null))
  }
  expect(await sendImport(job, noProgress, { ...options, send })).toEqual(noProgress)
})

it('an import names each line that was not added with its reason, in the order of the file', () => {
  const wrong = { column: 'name', message: 'too-short' } as const
  const leftOut = [{ line: 3, texts: { ...noTexts, name: 'ab' }, fault: wrong }]
  const rows = [
    { line: 2, name: 'Shop 1', storeNumber: '7', description: '', group: 'North', tags: { city: 'Oslo' } },
    { line: 4, name: 'Shop 2', storeNumber: '', description: '' },
  ]
  const lines = findLeftOut({ ...job, rows, leftOut }, { sent: 2, added: 1, skippedLines: [2] })
  expect(lines.map(({ line, texts, fault }) => [line, texts.name, texts.city, fault.message])).toEqual([
    [2, 'Shop 1', 'Oslo', 'exists'],
    [3, 'ab', '', 'too-short'],
  ])
})

it('an import names the lines that the server refuses', () => {
  const errors = [
    { path: 'rows.0.name', message: 'exists' },
    { path: 'rows.4.groupUid', message: 'unknown' },
  ]
  const refused = new CallError(422, { type: 'about:blank', title: 'No', status: 422, errors })
  expect([...readRefusedLines(refused, job, 1000)]).toEqual([
    [1002, { field: 'name', message: 'exists' }],
    [1006, { field: 'groupUid', message: 'unknown' }],
  ])
  expect(readRefusedLines(new Error('x'), job, 0).size).toBe(0)
})
