import { useMemo } from 'react'
import { encode } from 'uqr'

/**
 * A QR code, dark on white in both color schemes, because cameras need that.
 * @param label its content, for screen readers
 */
export function QrCode({ text, label, size = 144 }: { text: string; label: string; size?: number }) {
  const { path, side } = useMemo(() => draw(text), [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      width={size}
      height={size}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function draw(text: string): { path: string; side: number } {
  const { data, size } = encode(text, { ecc: 'M', border: 3 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { path: squares.join(''), side: size }
}
