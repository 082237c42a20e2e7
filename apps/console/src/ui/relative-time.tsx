import { useState } from 'react'
import { useFormat } from '../platform/format.ts'
import { useNow } from '../platform/use-now.ts'

const tickMs = 60_000

/** '3 hours ago'; the exact time while the pointer is over it. Its format takes long to make, so it is made then. */
export function RelativeTime({ instant }: { instant: string }) {
  const format = useFormat()
  const [isPointedAt, setIsPointedAt] = useState(false)
  return (
    <time
      dateTime={instant}
      title={isPointedAt ? format.dateTime(instant) : undefined}
      onPointerEnter={() => setIsPointedAt(true)}
    >
      {format.relative(instant, useNow(tickMs))}
    </time>
  )
}
