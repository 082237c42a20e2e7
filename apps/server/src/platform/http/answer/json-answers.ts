import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import { outcomes } from '@floorcast/contract/outcomes.ts'
import { z } from 'zod'
import type { OutcomeError } from '../../lib/errors.ts'
import type { PublicCall } from '../calls.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

export type Answer<E extends Endpoint> = Promise<z.input<E['answer']>>

const Coded = z.object({ code: z.number() })

/** Sends `{data}` without fields that the answer's schema does not name. */
export async function answer<E extends Endpoint>(endpoint: E, call: PublicCall<E>, pending: Answer<E>) {
  const data: unknown = endpoint.answer.parse(await pending)
  const coded = Coded.safeParse(data)
  if (coded.success) call.request.note.outcome = coded.data.code
  call.reply.type(JSON_TYPE)
  return JSON.stringify({ data })
}

/** The body of a refused change, which HTTP 200 carries. */
export const outcomeBody = ({ outcome, details }: OutcomeError) =>
  JSON.stringify({ data: { code: outcomes[outcome], ...details } })
