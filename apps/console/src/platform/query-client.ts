import { CallError } from '@floorcast/contract/client.ts'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { isRestored } from './answer-age.ts'
import { toastUnread } from './outcomes.ts'

/**
 * Queries are retried after a network error, never after a refusal; mutations are never retried. A mutation fails at once while the
 * browser is offline: TanStack's default would keep it and send it when the line is back, also if the user has cancelled it meanwhile.
 */
export const queryClient = new QueryClient({
  // A failed query shows a toast, and its component shows the error (docs/specification.md#8-error-catalogue).
  // One that shows an answer of earlier says so on the page, with its age.
  queryCache: new QueryCache({ onError: (error, query) => void (isRestored(query) || toastUnread(error)) }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) =>
        count < 2 && error instanceof CallError && (error.status === 0 || error.status >= 502),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
