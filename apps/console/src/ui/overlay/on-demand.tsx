import { createElement, useEffect, useReducer, useState, type ComponentType } from 'react'
import { loadPart } from '../../platform/load-part.ts'
import { LoadingBar } from './loading-bar.tsx'

/** The parts that the pages so far will need when they are used, and that are not fetched. */
const waiting = new Set<() => Promise<unknown>>()
let fetching: Promise<unknown> = Promise.resolve()

/** Adds a part that a page does not begin with. */
export function fetchLater(load: () => Promise<unknown>): void {
  waiting.add(load)
}

/**
 * Fetches all parts that wait, so that a click finds them. A failure is left to the click.
 * @returns a promise that resolves when all that were ever asked for have come
 */
export function fetchWaiting(): Promise<unknown> {
  const now = [...waiting]
  waiting.clear()
  if (now.length > 0)
    fetching = Promise.all([fetching, ...now.map(load => load().catch(() => waiting.add(load)))])
  return fetching
}

/**
 * A component that a page does not begin with, such as a form. Its code comes when it is first shown, or earlier by
 * `fetchWaiting`; a bar shows that it is loading. React's `lazy` would wait 300 ms after such a bar, also for code that is there.
 * @param isShown tells by the props whether it shows anything; by default it does
 * @param StandIn is shown until the code is there; by default the bar
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  isShown: (props: Props) => boolean = () => true,
  StandIn: ComponentType<object> = LoadingBar,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  const fetchPart = async () => {
    loaded = await load()
  }
  fetchLater(fetchPart)
  return function OnDemand(props: Props) {
    const isWanted = isShown(props)
    // Another one may fetch it after this was drawn.
    const part = loaded
    const [failure, setFailure] = useState<Error | null>(null)
    const [, drawAgain] = useReducer((times: number) => times + 1, 0)
    useEffect(() => {
      if (!isWanted || part) return
      let isHere = true
      loadPart(fetchPart).then(
        () => isHere && drawAgain(),
        (error: unknown) => isHere && setFailure(error instanceof Error ? error : new Error(String(error))),
      )
      return () => void (isHere = false)
    }, [isWanted, part])
    if (failure) throw failure
    if (!isWanted) return null
    return part ? createElement(part, props) : <StandIn />
  }
}
