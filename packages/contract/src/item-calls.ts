import { z } from 'zod'
import { type Access, editors, endpoint, type Nothing, readers, statusEditors } from './endpoint.ts'
import { seenState, Uid } from './fields.ts'
import { type OutcomeName, Outcome } from './outcomes.ts'

/*
 * The calls that items of several nouns have alike: what differs is the path, the words and the outcomes.
 */

export const byId = z.object({ id: Uid })
export const byUid = z.object({ uid: Uid })

interface ItemCall {
  path: string
  summary: string
  /** `editors` unless told; of a change of state, `statusEditors`. */
  access?: Access
  outcomes: readonly OutcomeName[]
}

const UP_TO_1000 =
  "A filter handles at most 1,000 items a call; `remaining` counts the rest: repeat the call with the answer's `after`. A filter that finds every item needs `all: true`."
/** @param lists what the answer lists */
const codeOfMany = (lists: string) =>
  `otherwise the code that all failures share, or 303 if they differ; ${lists}. ${UP_TO_1000}`

/** Deletes one item, or moves it to the recycle bin. */
export const deletesOne = (call: ItemCall) =>
  endpoint({ access: editors, worksOnFullDisk: true, body: byUid, answer: Outcome, ...call })

/** Moves many items to the recycle bin. @param items for people, `groups` */
export const deletesMany = <B extends z.ZodType>(
  items: string,
  call: Omit<ItemCall, 'summary'> & { body: B },
) =>
  endpoint({
    access: editors,
    worksOnFullDisk: true,
    isHeavy: true,
    answer: Outcome,
    summary: `Move ${items} to the recycle bin. 200 if all were moved, ${codeOfMany('`done` and `failed` list the items')}`,
    ...call,
  })

/** Moves all items of a noun that are not used to the recycle bin. @param items for people, `group that no publication uses` */
export const deletesUnused = (items: string, call: Omit<ItemCall, 'summary'>) =>
  endpoint({
    access: editors,
    worksOnFullDisk: true,
    isHeavy: true,
    answer: Outcome,
    summary: `Move every ${items} to the recycle bin; at most 1,000 a call; \`remaining\` counts the rest.`,
    ...call,
  })

/** Changes the state of one item, unless it is no longer the one that the caller has seen. */
export const changesState = <S extends z.ZodEnum>(states: S, call: ItemCall) =>
  endpoint({ access: statusEditors, params: byId, query: seenState(states), answer: Outcome, ...call })

/** Turns one item to its next state, which the answer names. */
export const turnsState = <S extends z.ZodEnum>(states: S, call: ItemCall & { access: Access }) =>
  endpoint({
    params: byId,
    query: seenState(states),
    answer: Outcome.extend({ state: states.optional() }),
    ...call,
  })

/** Does one thing with many items. @param items for people, `groups`; `more` what else the caller should know */
export const changesMany = <B extends z.ZodType>(
  items: string,
  { more = '', ...call }: Omit<ItemCall, 'summary'> & { body: B; more?: string },
) =>
  endpoint({
    access: editors,
    isHeavy: true,
    answer: Outcome,
    summary: `Do one thing with many ${items}. 200 if all were changed, ${codeOfMany('`done` and `failed` list the items, `failed` with the reason')}${more}`,
    ...call,
  })

/** What `changesMany` would do with the same body. */
export const previewsMany = <A extends z.ZodType, B extends z.ZodType, P extends z.ZodType = Nothing>(
  items: string,
  { more = '', ...call }: { path: string; access?: Access; params?: P; body: B; answer: A; more?: string },
) =>
  endpoint({
    access: readers,
    summary: `How many of the selected ${items} the call with the same body would change, and how many it would leave out, by reason. Counts all that a filter finds. Changes nothing.${more}`,
    ...call,
  })
