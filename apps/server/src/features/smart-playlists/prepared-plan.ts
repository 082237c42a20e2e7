import { randomInt } from 'node:crypto'
import { importSmartPlaylist, type SmartDraft, type SmartTrack } from '@floorcast/contract/smart-playlists.ts'
import { windowSeconds } from '@floorcast/planner/plan-window.ts'
import { plan } from '@floorcast/planner/plan.ts'
import { parseBody, parseJsonText } from '../../platform/http/receive/input.ts'
import type { Emit } from '../../platform/lib/worker-jobs.ts'
import {
  findPlanFaults,
  findRefusals,
  LISTS,
  type ListName,
  type PlanFaults,
  planInputOf,
} from './plan-validation.ts'

/*
 * A plan as it is stored. A worker prepares long ones and sends them in parts, because a day may have 86,400 plays:
 * taking it whole would keep the event loop from other calls for some tenths of a second.
 */

export interface PreparedPlan {
  draft: Omit<SmartDraft, 'finishList'>
  planFaults: PlanFaults | null
  plannedPlays: number
  plannedSeconds: number
  /** The plays of each track, of `melList` and then of `adsList`. */
  playsOfTracks: readonly number[]
  /** The rows of the blocks: JSON arrays of some hundred kilobytes. Empty if the plan has faults. */
  blockRows: readonly string[]
}

/** A part of a prepared plan. */
export type PlanPart = { list: ListName; tracks: SmartTrack[] } | { blockRows: string }

const TRACKS_A_PART = 2000
const CHARACTERS_A_PART = 256 * 1024

/** Seeds that the planner tells apart. */
const SEEDS = 2 ** 31 - 1

interface ParsedImport {
  draft: SmartDraft
  needsPlan: boolean
  editOf: string | null
}

/** Parses an import; a draft without a seed or its window's seconds gets them. @throws ProblemError 400, 422 */
export function parseImport(bytes: Buffer): ParsedImport {
  const sent = parseBody(importSmartPlaylist.body, parseJsonText(bytes.toString('utf8')))
  const { editOf, seed = randomInt(SEEDS), workTime = windowSeconds(sent), finishList, ...draft } = sent
  const whole = { ...draft, seed, workTime, finishList: finishList ?? [] }
  return { draft: whole, needsPlan: finishList === undefined, editOf }
}

/** The JSON rows of the blocks; their tracks are named by the position in the two lists. */
function blockRowsOf({ melList, adsList, finishList }: SmartDraft): string[] {
  const positions = new Map([...melList, ...adsList].map(({ uid }, index) => [uid, index + 1]))
  const parts: string[] = []
  let rows: string[] = []
  let length = 0
  for (const [index, { kind, start, duration, items }] of finishList.entries()) {
    const tracks = items.map(({ uid }) => positions.get(uid))
    const starts = items.map(item => item.start)
    const row = JSON.stringify({ position: index + 1, kind, start, duration, tracks, starts })
    rows.push(row)
    length += row.length
    if (length < CHARACTERS_A_PART && index + 1 < finishList.length) continue
    parts.push(`[${rows.join(',')}]`)
    rows = []
    length = 0
  }
  return parts
}

/** The draft with its plan; without blocks if it cannot be planned, which `findPlanFaults` reports. */
function planAgain(given: SmartDraft): SmartDraft {
  if (findRefusals(given).length > 0) return { ...given, finishList: [] }
  const planned = plan(planInputOf(given))
  return { ...given, finishList: 'refusal' in planned ? [] : planned.blocks }
}

/** Prepares a draft with its plan, or one whose plan is made first. */
export function preparePlan(given: SmartDraft, needsPlan: boolean): PreparedPlan {
  const whole = needsPlan ? planAgain(given) : given
  const { finishList, ...draft } = whole
  const planFaults = findPlanFaults(whole)
  const plays = new Map<string, number>()
  for (const { items } of finishList) for (const { uid } of items) plays.set(uid, (plays.get(uid) ?? 0) + 1)
  return {
    draft,
    planFaults,
    plannedPlays: finishList.reduce((sum, { items }) => sum + items.length, 0),
    plannedSeconds: finishList.reduce((seconds, { duration }) => seconds + duration, 0),
    playsOfTracks: [...draft.melList, ...draft.adsList].map(({ uid }) => plays.get(uid) ?? 0),
    blockRows: planFaults ? [] : blockRowsOf(whole),
  }
}

/** Sends the long parts of a prepared plan. @returns the rest */
export async function emitPlan(prepared: PreparedPlan, emit: Emit<PlanPart>): Promise<PreparedPlan> {
  const { draft, blockRows } = prepared
  for (const list of LISTS)
    for (let at = 0; at < draft[list].length; at += TRACKS_A_PART)
      await emit({ list, tracks: draft[list].slice(at, at + TRACKS_A_PART) })
  for (const rows of blockRows) await emit({ blockRows: rows })
  return { ...prepared, draft: { ...draft, melList: [], adsList: [] }, blockRows: [] }
}

/** Puts the parts of a plan together. */
export function collectPlan() {
  const lists: Record<ListName, SmartTrack[]> = { melList: [], adsList: [] }
  const blockRows: string[] = []
  return {
    add: (part: PlanPart) => {
      if ('blockRows' in part) blockRows.push(part.blockRows)
      else lists[part.list].push(...part.tracks)
    },
    finish: <Rest extends PreparedPlan>(rest: Rest): Rest => ({
      ...rest,
      draft: { ...rest.draft, ...lists },
      blockRows,
    }),
  }
}
