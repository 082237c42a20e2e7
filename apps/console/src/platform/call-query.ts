import type { CallInput } from '@floorcast/contract/client.ts'
import type { AnswerOf, Endpoint } from '@floorcast/contract/endpoint.ts'
import { keepPreviousData, queryOptions, type UseQueryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

type Options<E extends Endpoint> = Pick<
  UseQueryOptions<AnswerOf<E>>,
  'enabled' | 'placeholderData' | 'refetchInterval' | 'retry' | 'staleTime'
>
/** What a call takes, and the options of its query beside it. */
type CallQuery<E extends Endpoint> = Omit<CallInput<E>, 'signal' | 'headers'> & Options<E>
type Input = Partial<Record<'params' | 'query' | 'body', object>>

/** The query of a call that reads. @param queryKey one of `queryKeys` */
export function callQuery<E extends Endpoint>(
  queryKey: readonly unknown[],
  endpoint: E,
  asked: CallQuery<E>,
) {
  const { params, query, body, ...options } = asked as Input & Options<E>
  const input = { params, query, body } as unknown as CallInput<E>
  return queryOptions({ queryKey, queryFn: ({ signal }) => call(endpoint, { ...input, signal }), ...options })
}

/** The same of a list, or what else shows its former answer until the next one has come. */
export const listQuery = <E extends Endpoint>(
  queryKey: readonly unknown[],
  endpoint: E,
  asked: CallQuery<E>,
) => callQuery(queryKey, endpoint, { ...asked, placeholderData: keepPreviousData })
