import type { SmartImport } from '@floorcast/contract/smart-playlists.ts'
import type { PlanInput } from '@floorcast/planner/plan-types.ts'
import { windowSeconds } from '@floorcast/planner/plan-window.ts'
import { plan } from '@floorcast/planner/plan.ts'
import { buffersOf, packDay } from '@floorcast/planner/smart-day.ts'
import { airTimes } from '@floorcast/planner/track-list.ts'
import { type PlanRefusal, validate } from '@floorcast/planner/validate.ts'
import type {
  ImportFields,
  PackedList,
  PackedPlan,
  PlanRequest,
  PlanResponse,
  Validation,
} from './plan-protocol.ts'
import { limits } from './wizard-draft.ts'

let lists: PlanRequest['lists']
let newest: PlanRequest | undefined
let isWorking = false

addEventListener('message', (event: MessageEvent<PlanRequest>) => {
  newest = event.data
  lists = newest.lists ?? lists
  if (!isWorking) void work()
})

/** Works on the newest request until no newer one has arrived. */
async function work(): Promise<void> {
  isWorking = true
  for (let request: PlanRequest | undefined; newest && newest !== request;) {
    request = newest
    await yieldToEventLoop()
    if (newest !== request || !lists) continue
    const { id, settings, importFields, wantsDay } = request
    const input: PlanInput = { ...settings, melList: unpack(lists.melody), adsList: unpack(lists.ad) }
    if (importFields) respond({ id, kind: 'body', body: makeBody(input, importFields) })
    if (wantsDay) {
      const packed = planDay(input)
      respond({ id, kind: 'day', plan: packed }, packed ? buffersOf(packed.day) : [])
      await yieldToEventLoop()
      if (newest !== request) continue
    }
    respond({ id, kind: 'validation', validation: validateInput(input) })
  }
  isWorking = false
}

/** Handles waiting messages: a newer request makes the present one obsolete. */
const yieldToEventLoop = () => new Promise(resolve => setTimeout(resolve))

const respond = (response: PlanResponse, transfer: Transferable[] = []) => postMessage(response, { transfer })

const unpack = ({ uids, durations, weights }: PackedList): PlanInput['melList'] =>
  uids.map((uid, index) => ({ uid, duration: durations[index] ?? 0, weight: weights[index] ?? 1 }))

/** Null while one of the lists, or the window, is empty, and if the ads cannot keep their separation. */
function planDay(input: PlanInput): PackedPlan | null {
  if (input.melList.length === 0 || input.adsList.length === 0 || windowSeconds(input) === 0) return null
  const planned = plan(input)
  if ('refusal' in planned) return null
  const { blocks, summary } = planned
  const { tracks: _, ...figures } = summary
  return { day: packDay(blocks, input), summary: figures }
}

/** The refusals of a plan, and the air time of each kind. */
function validateInput(input: PlanInput): Validation {
  const { refusals, warnings } = validate(input)
  const findings = { refusals: [...checkLimits(input), ...refusals], warnings }
  return { findings, air: airTimes(input) }
}

/** The planner takes higher weights, crossfades and separations than the wizard's fields do. */
function checkLimits({ adsList, crossfade = 0, minAdGap = 0 }: PlanInput): PlanRefusal[] {
  const weights = adsList.flatMap(({ uid, weight = 1 }): PlanRefusal[] =>
    isBeyond(weight, limits.weight) ? [{ step: 'ads', code: 'weight-invalid', kind: 'ad', uid, weight }] : [],
  )
  const refusals: PlanRefusal[] = [...weights]
  if (isBeyond(crossfade, limits.crossfade))
    refusals.push({ step: 'background', code: 'crossfade-invalid', crossfade })
  if (isBeyond(minAdGap, limits.minAdGap)) refusals.push({ step: 'ads', code: 'ad-gap-invalid', minAdGap })
  return refusals
}

const isBeyond = (value: number, { min, max }: { min: number; max: number }) =>
  value > 0 && (value < min || value > max)

/** The body of the import: the draft with its plan, as JSON. */
function makeBody(input: PlanInput, fields: ImportFields): Blob {
  const { type, melList, adsList, crossfade = 0, minAdGap = 0, ...settings } = input
  const planned = plan(input)
  const draft: SmartImport = {
    ...fields,
    ...settings,
    playlistType: type,
    workTime: windowSeconds(input),
    crossfade,
    minAdGap,
    melList: [...melList],
    adsList: [...adsList],
    // The server refuses what the planner refuses.
    finishList: 'refusal' in planned ? [] : planned.blocks,
    colour: '',
    uploadingProgress: 0,
    deviceFilter: null,
    playlistFilter: null,
  }
  return new Blob([JSON.stringify(draft)], { type: 'application/json' })
}
