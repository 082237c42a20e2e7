import { useCallback, useEffect, useState, type ComponentType } from 'react'
import { loadPart } from '../../platform/load-part.ts'
import { fetchLater } from './on-demand.tsx'

/**
 * A hook for a component that another one stands for until it is used: null until its code is there and wanted, and how to want
 * it. The code comes with the first movement of the pointer, or when it is wanted.
 */
export function latePart<Props>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | null = null
  const fetchPart = async () => {
    loaded = await load()
  }
  fetchLater(fetchPart)
  return function useLatePart(): [part: ComponentType<Props> | null, want: () => void] {
    const [part, setPart] = useState<ComponentType<Props> | null>(() => loaded)
    const [isWanted, setIsWanted] = useState(false)
    useEffect(() => {
      if (!isWanted || part) return
      let isHere = true
      loadPart(fetchPart).then(
        () => isHere && setPart(() => loaded),
        // The placeholder stays; the next use tries again.
        () => isHere && setIsWanted(false),
      )
      return () => void (isHere = false)
    }, [isWanted, part])
    const want = useCallback(() => setIsWanted(true), [])
    return [part, want]
  }
}
