import './zod-setup.ts'
import { CallError, makeClient, type CallInput } from '@floorcast/contract/client.ts'
import type { AnswerOf, Endpoint } from '@floorcast/contract/endpoint.ts'
import { isSuccess, type Outcome } from '@floorcast/contract/outcomes.ts'
import { removeBrowserData } from './browser-data.ts'
import { readApiBase } from './api-base.ts'
import { dropSession, interruptSession, sessionStore } from './session.ts'
import { createStore } from './store.ts'
import { isAtWork } from './unsaved.ts'

interface FirstAnswer {
  address: string
  token: string
  answer: Promise<Response>
  /** When it was asked for, in ms of the page's clock. */
  at: number
}

declare global {
  interface Window {
    /** The answer to the page's first call, which `boot.js` sent before this file had come. */
    floorcastFirstAnswer?: FirstAnswer | undefined
  }
}

const FIRST_ANSWER_MAX_AGE_MS = 10_000

/** Takes the first answer if it is to this address and user, and not old; it serves one call. */
function takeFirstAnswer(address: unknown): Promise<Response> | null {
  const first = window.floorcastFirstAnswer
  if (first?.address !== address) return null
  delete window.floorcastFirstAnswer
  if (!first || performance.now() - first.at > FIRST_ANSWER_MAX_AGE_MS) return null
  return first.token === sessionStore.get().token ? first.answer : null
}

const clientOf = (base: string) =>
  makeClient({
    base,
    token: () => sessionStore.get().token,
    language: () => document.documentElement.lang,
    fetch: (address, request) => takeFirstAnswer(address) ?? fetch(address, request),
  })

/** Counts the sessions that the server has ended. The shell shows /login and a toast when it grows, or signs in over the page. */
export const expiredSessions = createStore(0)

/** The error of a change whose outcome is not a success. */
export class Refusal extends Error {
  readonly outcome: Outcome

  constructor(outcome: Outcome) {
    super(`Refused with code ${outcome.code}`)
    this.name = 'Refusal'
    this.outcome = outcome
  }
}

/** A change that was not sent, because the browser was offline. */
export class NotSent extends CallError {
  constructor(cause: unknown) {
    super(0, null, { cause })
    this.name = 'NotSent'
  }
}

const isChange = ({ method, access }: Endpoint) =>
  method !== 'GET' || (access.by === 'user' && access.changes)

/** The error of a change without an answer: nothing can have left a browser that was offline before. */
export const toUnanswered = (wasOnline: boolean, cause: unknown): CallError =>
  wasOnline ? new CallError(0, null, { cause }) : new NotSent(cause)

/**
 * Calls the server as the signed-in user.
 * @param base the address of another host, without a slash at its end; default: that of all calls
 * @throws CallError; a 401 of a signed-in user ends the session first. NotSent for a change while the browser is offline
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  base?: string,
): Promise<AnswerOf<E>> {
  // A server on this machine answers without a line, so the call is tried all the same.
  const wasOnline = navigator.onLine
  try {
    return await clientOf(base ?? (await readApiBase()))(endpoint, input)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (error.status === 0 && isChange(endpoint)) throw toUnanswered(wasOnline, error.cause)
    if (error.status === 401) endExpiredSession()
    throw error
  }
}

/**
 * Signs out when the server does not know the session any more; what is being typed waits on its page (decision 0269,
 * docs/specification.md#8-error-catalogue).
 */
export function endExpiredSession(): void {
  if (!sessionStore.get().token) return
  if (isAtWork()) interruptSession()
  else dropSession()
  void removeBrowserData()
  expiredSessions.set(expiredSessions.get() + 1)
}

/** Sends a change. Like `call`, but throws an outcome that is not a success. @throws Refusal, CallError */
export async function change<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
): Promise<AnswerOf<E> & Outcome> {
  const outcome = (await call(endpoint, input)) as AnswerOf<E> & Outcome
  if (!isSuccess(outcome.code)) throw new Refusal(outcome)
  return outcome
}
