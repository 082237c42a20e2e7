import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '@floorcast/contract/endpoint.ts'
import type { CallInput } from '@floorcast/contract/client.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import { useMutation, useQueryClient, type UseMutationOptions } from '@tanstack/react-query'
import { useRef } from 'react'
import { change } from './client.ts'
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

type Declared<Part> = string extends keyof Part ? unknown : Part

/** What a call takes, in one object: its parameters and its body, or its query where it has no body. */
type FlatInput<E extends Endpoint> = Declared<ParamsOf<E>> &
  (string extends keyof BodyOf<E> ? Declared<QueryOf<E>> : BodyOf<E>)

function toCallInput<E extends Endpoint>({ path, bodyForm }: E, flat: FlatInput<E>): CallInput<E> {
  const fields = Object.entries(flat as object)
  const isParam = ([name]: [string, unknown]) => path.includes(`{${name}}`)
  const rest = Object.fromEntries(fields.filter(field => !isParam(field)))
  const params = Object.fromEntries(fields.filter(isParam))
  return (bodyForm === 'json' ? { params, body: rest } : { params, query: rest }) as unknown as CallInput<E>
}

/**
 * Makes the hook of a call that changes an entity: `useEditGroup` of `editGroup`. A call whose body is a list, or that has a query
 * beside its body, has one by `useChange`.
 */
export const changeHook =
  <E extends Endpoint>(entity: ChangedEntity, endpoint: E) =>
  (options: Options<AnswerOf<E> & Outcome, FlatInput<E>> = {}) =>
    useChange(entity, (input: FlatInput<E>) => change(endpoint, toCallInput(endpoint, input)), options)

/** A step from the state that the user saw, so that a second click does not undo the first. */
interface Step<E extends Endpoint> {
  uid: string
  from: NonNullable<(QueryOf<E> & { from?: unknown })['from']>
}

/** Makes the hook of a call that changes the state of one item, such as `useChangeGroupState`. */
export const stateHook =
  <E extends Endpoint>(entity: ChangedEntity, endpoint: E) =>
  () =>
    useChange(entity, ({ uid, from }: Step<E>) =>
      change(endpoint, { params: { id: uid }, query: { from } } as unknown as CallInput<E>),
    )

/** Fetches again what shows entities that were changed outside of a mutation. */
export function useMarkStale(...entities: [ChangedEntity, ...ChangedEntity[]]): () => Promise<void> {
  const queries = useQueryClient()
  return () => markStale(queries, entities)
}
