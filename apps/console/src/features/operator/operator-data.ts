import { CallError, makeClient, type CallInput } from '@floorcast/contract/client.ts'
import type { AnswerOf, Endpoint } from '@floorcast/contract/endpoint.ts'
import { QueryClient } from '@tanstack/react-query'
import { readApiBase } from '../../platform/api-base.ts'
import { createStore } from '../../platform/store.ts'

/*
 * The session of an operator. It is none of a user: it has a store and queries of its own, and ends with the tab.
 */

const tokenKey = 'floorcast.operator'

export const operatorToken = createStore<string | null>(sessionStorage.getItem(tokenKey))

export function keepOperatorToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(tokenKey)
  else sessionStorage.setItem(tokenKey, token)
  operatorToken.set(token)
}

/** What operators read is never kept in the browser. */
export const operatorQueries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => count < 2 && !(error instanceof CallError && error.status !== 0),
    },
  },
})

/** Calls the server as the operator. @throws CallError; a 401 ends the session first */
export async function callAsOperator<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
): Promise<AnswerOf<E>> {
  const token = operatorToken.get()
  const client = makeClient({ base: await readApiBase(), token: () => token })
  try {
    return await client(endpoint, input)
  } catch (error) {
    if (error instanceof CallError && error.status === 401 && token !== null) {
      keepOperatorToken(null)
      operatorQueries.clear()
    }
    throw error
  }
}
