import { buffersOf } from '@floorcast/planner/smart-day.ts'
import { checkInput, inputOf, makeBody, planDay, type PlanLists } from './plan-job.ts'
import type { PlanAnswer, PlanAsk } from './plan-talk.ts'

let lists: PlanLists | undefined
let newest: PlanAsk | undefined
let isWorking = false

/** Lets messages in that have come meanwhile: a newer one makes the work at hand needless. */
const breathe = () => new Promise(resolve => setTimeout(resolve))

const answer = (said: PlanAnswer, handedOver: Transferable[] = []) =>
  postMessage(said, { transfer: handedOver })

/** Works at the newest question until no newer one has come. */
async function work(): Promise<void> {
  isWorking = true
  for (let asked: PlanAsk | undefined; newest && newest !== asked;) {
    asked = newest
    await breathe()
    if (newest !== asked || !lists) continue
    const input = inputOf(asked.settings, lists)
    const { nr } = asked
    if (asked.body) answer({ nr, kind: 'body', body: makeBody(input, asked.body) })
    if (asked.wantsDay) {
      const planned = planDay(input)
      answer({ nr, kind: 'day', planned }, planned ? buffersOf(planned.day) : [])
      await breathe()
      if (newest !== asked) continue
    }
    answer({ nr, kind: 'checked', checked: checkInput(input) })
  }
  isWorking = false
}

addEventListener('message', (event: MessageEvent<PlanAsk>) => {
  newest = event.data
  lists = newest.lists ?? lists
  if (!isWorking) void work()
})
