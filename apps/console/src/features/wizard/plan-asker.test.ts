import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PlanAsker, type PlanQuestion, type PlanWorker } from './plan-asker.ts'
import type { PlanAnswer, PlanAsk } from './plan-talk.ts'
import { emptyDraft } from './wizard-draft.ts'

class FakeWorker implements PlanWorker {
  asked: PlanAsk[] = []
  isGone = false
  onmessage: PlanWorker['onmessage'] = null
  onerror: PlanWorker['onerror'] = null
  postMessage(ask: PlanAsk): void {
    this.asked.push(ask)
  }
  terminate(): void {
    this.isGone = true
  }
  answer(nr: number): void {
    const checked = { findings: { refusals: [], warnings: [] }, air: { melody: 0, ad: 0 } }
    this.onmessage?.(new MessageEvent<PlanAnswer>('message', { data: { nr, kind: 'checked', checked } }))
  }
}

const lists = { melList: [{ uid: 'm', name: 'm', duration: 2, weight: 1 }], adsList: [] }
const question: PlanQuestion = {
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

describe('who asks the worker', () => {
  let workers: FakeWorker[]
  let heard: number[]
  let failures: number
  let asker: PlanAsker
  const worker = (nr: number) => {
    const found = workers[nr]
    if (!found) throw new Error(`No worker ${nr}`)
    return found
  }
  beforeEach(() => {
    vi.useFakeTimers()
    workers = []
    heard = []
    failures = 0
    const hire = () => {
      const made = new FakeWorker()
      workers.push(made)
      return made
    }
    asker = new PlanAsker(
      hire,
      ({ nr }) => heard.push(nr),
      () => {
        failures += 1
      },
    )
  })
  afterEach(() => vi.useRealTimers())

  it('sends lists once, and again when they change', () => {
    asker.ask(question)
    asker.ask({ ...question, settings: { ...question.settings, seed: 2 } })
    asker.ask({ ...question, adsList: [...lists.melList] })
    expect(worker(0).asked.map(({ nr, lists: sent }) => [nr, sent !== undefined])).toEqual([
      [1, true],
      [2, false],
      [3, true],
    ])
    expect(worker(0).asked[0]?.lists?.melody.uids).toEqual(['m'])
  })

  it('replaces a worker that is still busy with an overtaken question', () => {
    asker.ask(question)
    asker.ask({ ...question })
    asker.ask({ ...question })
    vi.advanceTimersByTime(999)
    expect(worker(0).isGone).toBe(false)
    vi.advanceTimersByTime(1)
    expect(worker(0).isGone).toBe(true)
    // The new one gets the newest question alone, with its lists.
    expect(worker(1).asked).toMatchObject([{ nr: 3, lists: {} }])
    worker(1).answer(3)
    expect(heard).toEqual([3])
  })

  it('waits for the newest question, however long it takes, and for a worker that answers', () => {
    asker.ask(question)
    vi.advanceTimersByTime(60_000)
    worker(0).answer(1)
    asker.ask({ ...question })
    asker.ask({ ...question })
    worker(0).answer(2)
    vi.advanceTimersByTime(60_000)
    expect(workers).toHaveLength(1)
    expect(heard).toEqual([1, 2])
  })

  it('tells of a broken worker and hires another for the next question', () => {
    asker.ask(question)
    worker(0).onerror?.(Object.assign(new Event('error'), {}) as ErrorEvent)
    expect(failures).toBe(1)
    asker.ask({ ...question })
    expect(worker(1).asked).toMatchObject([{ nr: 2, lists: {} }])
  })
})
