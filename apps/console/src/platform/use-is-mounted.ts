import { useEffect, useState } from 'react'

/**
 * False while a component is drawn for the first time. A dialog that opens after it was mounted knows the button that opened
 * it, and gives the focus back to it.
 */
export function useIsMounted(): boolean {
  const [isMounted, setIsMounted] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsMounted(true))
    return () => clearTimeout(timer)
  }, [])
  return isMounted
}
