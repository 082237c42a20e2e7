import { useMutation, useQueryClient, type UseMutationOptions } from '@tanstack/react-query'
import { useRef } from 'react'
import { toastFailure } from './outcomes.ts'
import { markStale, type ChangedEntity } from './query-keys.ts'
import { useIsShown } from './use-is-shown.ts'

type Options<Answer, Input> = Pick<
  UseMutationOptions<Answer, Error, Input>,
  'mutationKey' | 'onError' | 'onSuccess' | 'scope'
> & {
  /** Further entities that it changes. */
  also?: readonly ChangedEntity[]
}

/** Names an input; null for one with a file. */
function keyOf(input: unknown): string | null {
  let hasFile = false
  const key = JSON.stringify([input], (_, value: unknown) => {
    hasFile ||= value instanceof Blob
    return value
  })
  return hasFile ? null : key
}

/** A double click is faster than the button that it disables: what is asked for again while it runs is the same call. */
function useOnce<Input, Answer>(run: (input: Input) => Promise<Answer>) {
  const running = useRef(new Map<string, Promise<Answer>>())
  return (input: Input): Promise<Answer> => {
    const key = keyOf(input)
    if (key === null) return run(input)
    const former = running.current.get(key)
    if (former) return former
    const call = run(input).finally(() => running.current.delete(key))
    running.current.set(key, call)
    return call
  }
}

/** The callbacks after a change. */
interface Endings<Answer> {
  /** @param isShown whether the component is still on the page */
  onSuccess?: (answer: Answer, isShown: boolean) => void
  onError?: (error: Error) => void
  onSettled?: () => void
}

/**
 * A mutation that changes an entity. When it ends, even in an error, the queries that show the entity are fetched again;
 * it is pending until then. What `mutate` is given runs also if the dialog was closed or the page left meanwhile, and an error that
 * nobody would see any more becomes a toast.
 */
export function useChange<Input, Answer>(
  entity: ChangedEntity,
  run: (input: Input) => Promise<Answer>,
  { also = [], ...options }: Options<Answer, Input> = {},
) {
  const queries = useQueryClient()
  const runOnce = useOnce(run)
  const isShown = useIsShown()
  const mutation = useMutation({
    ...options,
    mutationFn: (input: Input) => runOnce(input),
    onSettled: () => markStale(queries, [entity, ...also]),
  })
  const mutate = (input: Input, { onSuccess, onError, onSettled }: Endings<Answer> = {}) => {
    const tell = (error: Error) => {
      if (onError) onError(error)
      else if (!isShown()) toastFailure(error)
    }
    void mutation
      .mutateAsync(input)
      .then(answer => onSuccess?.(answer, isShown()), tell)
      .finally(onSettled)
  }
  return { ...mutation, mutate }
}

/** Fetches again what shows entities that were changed outside of a mutation. */
export function useMarkStale(...entities: [ChangedEntity, ...ChangedEntity[]]): () => Promise<void> {
  const queries = useQueryClient()
  return () => markStale(queries, entities)
}
