import { CallError } from '@floorcast/contract/client.ts'
import { QueryClient } from '@tanstack/react-query'

/** Reads are tried again when the way failed, never when the server said no; changes are never repeated. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) =>
        count < 2 && error instanceof CallError && (error.status === 0 || error.status >= 502),
    },
    mutations: { retry: false },
  },
})
