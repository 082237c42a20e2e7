import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DeviceCaller, Session } from '../auth/session.ts'
import type { ClientScope } from '../database/client-scope.ts'
import type { OperatorSession } from '../database/operator-queries.ts'
import type { HeavyTurn } from './admit/heavy-calls.ts'
import type { Input } from './receive/input.ts'

/** A call of a contract endpoint with parsed input. `now` is the server's time of the call. */
export type PublicCall<E extends Endpoint> = Input<E> & {
  now: Date
  requestId: string
  /** The caller's network address. */
  address: string
  /** The caller's program by its own words; null if it has none. */
  userAgent: string | null
  acceptLanguage: string | undefined
  request: FastifyRequest
  reply: FastifyReply
  /** The slot of a heavy call. */
  turn?: HeavyTurn | undefined
  /** Aborts a heavy call when the caller is gone. */
  signal?: AbortSignal | undefined
}
export type UserCall<E extends Endpoint> = PublicCall<E> & { session: Session; scope: ClientScope }
export type DeviceCall<E extends Endpoint> = PublicCall<E> & { device: DeviceCaller }
export type OperatorCall<E extends Endpoint> = PublicCall<E> & { operator: OperatorSession }

/** The call of a device. */
export function asDevice<E extends Endpoint>(call: PublicCall<E>): DeviceCall<E> {
  const { device } = call.request
  if (!device) throw new Error('a device endpoint ran without a device')
  return { ...call, device }
}

/** The call of an operator. */
export function asOperator<E extends Endpoint>(call: PublicCall<E>): OperatorCall<E> {
  const { operator } = call.request
  if (!operator) throw new Error('an endpoint of operators ran without one')
  return { ...call, operator }
}
