import { useMutation, useQueryClient, type UseMutationOptions } from '@tanstack/react-query'
import { markStale, type ChangedEntity } from './query-keys.ts'

type Options<Answer, Input> = Pick<
  UseMutationOptions<Answer, Error, Input>,
  'mutationKey' | 'onError' | 'onSuccess' | 'scope'
>

/**
 * A mutation that changes an entity. When it ends, even in an error, the queries that show the entity are fetched again;
 * it is pending until then.
 */
export function useChange<Input, Answer>(
  entity: ChangedEntity,
  run: (input: Input) => Promise<Answer>,
  options: Options<Answer, Input> = {},
) {
  const queries = useQueryClient()
  return useMutation({ ...options, mutationFn: run, onSettled: () => markStale(queries, [entity]) })
}

/** Fetches again what shows entities that were changed outside of a mutation. */
export function useMarkStale(...entities: [ChangedEntity, ...ChangedEntity[]]): () => Promise<void> {
  const queries = useQueryClient()
  return () => markStale(queries, entities)
}
