import { useEffect, useRef } from 'react'

/** Whether the component is still on the page: what it has begun may end later. */
export function useIsShown(): () => boolean {
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return () => isShown.current
}
