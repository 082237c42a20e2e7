import { CallError } from '@floorcast/contract/client.ts'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { toastFailure } from './outcomes.ts'

/** Reads are tried again when the way failed, never when the server said no; changes are never repeated. */
export const queryClient = new QueryClient({
  // What could not be read is told as a toast and stands where it is missing (docs/specification.md#8-error-catalogue).
  queryCache: new QueryCache({ onError: error => toastFailure(error) }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) =>
        count < 2 && error instanceof CallError && (error.status === 0 || error.status >= 502),
    },
    mutations: { retry: false },
  },
})
