import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PlanClient, type PlanJob, type PlanWorker } from './plan-client.ts'
import type { PlanRequest, PlanResponse } from './plan-protocol.ts'
import { emptyDraft } from './wizard-draft.ts'

class FakeWorker implements PlanWorker {
  requests: PlanRequest[] = []
  isTerminated = false
  onmessage: PlanWorker['onmessage'] = null
  onerror: PlanWorker['onerror'] = null
  postMessage(request: PlanRequest): void {
    this.requests.push(request)
  }
  terminate(): void {
    this.isTerminated = true
  }
  respond(id: number): void {
    const validation = { findings: { refusals: [], warnings: [] }, air: { melody: 0, ad: 0 } }
    const data: PlanResponse = { id, kind: 'validation', validation }
    this.onmessage?.(new MessageEvent('message', { data }))
  }
}

const lists = { melList: [{ uid: 'm', name: 'm', duration: 2, weight: 1 }], adsList: [] }
const job: PlanJob = {
  settings: {
    type: emptyDraft.playlistType,
    startDay: '00:00',
    endDay: '23:59',
    melTime: 360,
    adsTime: 900,
    melMode: 'auto',
    adsMode: 'auto',
    seed: 1,
  },
  ...lists,
  wantsDay: true,
}

let workers: FakeWorker[]
let received: number[]
let failures: number
let client: PlanClient
const worker = (nr: number) => {
  const found = workers[nr]
  if (!found) throw new Error(`No worker ${nr}`)
  return found
}
beforeEach(() => {
  vi.useFakeTimers()
  workers = []
  received = []
  failures = 0
  const createWorker = () => {
    const worker = new FakeWorker()
    workers.push(worker)
    return worker
  }
  client = new PlanClient(
    createWorker,
    ({ id }) => received.push(id),
    () => {
      failures += 1
    },
  )
})
afterEach(() => vi.useRealTimers())

it('PlanClient sends lists once, and again when they change', () => {
  client.submit(job)
  client.submit({ ...job, settings: { ...job.settings, seed: 2 } })
  client.submit({ ...job, adsList: [...lists.melList] })
  expect(worker(0).requests.map(({ id, lists: sent }) => [id, sent !== undefined])).toEqual([
    [1, true],
    [2, false],
    [3, true],
  ])
  expect(worker(0).requests[0]?.lists?.melody.uids).toEqual(['m'])
})

it('PlanClient replaces a worker that is still busy with an outdated job', () => {
  client.submit(job)
  client.submit({ ...job })
  client.submit({ ...job })
  vi.advanceTimersByTime(999)
  expect(worker(0).isTerminated).toBe(false)
  vi.advanceTimersByTime(1)
  expect(worker(0).isTerminated).toBe(true)
  // The new one gets the newest job alone, with its lists.
  expect(worker(1).requests).toMatchObject([{ id: 3, lists: {} }])
  worker(1).respond(3)
  expect(received).toEqual([3])
})

it('PlanClient waits for the newest job, however long it takes, and for a worker that responds', () => {
  client.submit(job)
  vi.advanceTimersByTime(60_000)
  worker(0).respond(1)
  client.submit({ ...job })
  client.submit({ ...job })
  worker(0).respond(2)
  vi.advanceTimersByTime(60_000)
  expect(workers).toHaveLength(1)
  expect(received).toEqual([1, 2])
})

it('PlanClient reports a failed worker and creates another for the next job', () => {
  client.submit(job)
  worker(0).onerror?.(Object.assign(new Event('error'), {}) as ErrorEvent)
  expect(failures).toBe(1)
  client.submit({ ...job })
  expect(worker(1).requests).toMatchObject([{ id: 2, lists: {} }])
})
