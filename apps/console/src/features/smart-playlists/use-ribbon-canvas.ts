import { useComputedColorScheme, useMantineTheme } from '@mantine/core'
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { RibbonCanvas, type Drawn } from './ribbon-canvas.ts'

interface Elements {
  viewport: RefObject<HTMLDivElement | null>
  canvas: RefObject<HTMLCanvasElement | null>
}

/** Keeps a ribbon's canvas drawn. Answers the moment under a pointer. */
export function useRibbonCanvas({ viewport, canvas }: Elements, drawn: Drawn): (clientX: number) => number {
  const ribbon = useRef<RibbonCanvas>(null)
  const colorScheme = useComputedColorScheme()
  const { primaryColor } = useMantineTheme()
  useLayoutEffect(() => {
    if (viewport.current && canvas.current)
      ribbon.current ??= new RibbonCanvas(viewport.current, canvas.current)
    ribbon.current?.show(drawn)
  })
  useEffect(() => ribbon.current?.watch(), [])
  // Colours are known only once the mode's own styles are in force.
  useEffect(() => {
    const frame = requestAnimationFrame(() => ribbon.current?.draw())
    return () => cancelAnimationFrame(frame)
  }, [colorScheme, primaryColor])
  return clientX => ribbon.current?.secondsAt(clientX) ?? 0
}
