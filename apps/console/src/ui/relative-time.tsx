import { useFormat } from '../platform/format.ts'
import { useNow } from '../platform/use-now.ts'

const tickMs = 60_000

/** '3 hours ago'; the exact time while the pointer is over it. */
export function RelativeTime({ instant }: { instant: string }) {
  const format = useFormat()
  return (
    <time dateTime={instant} title={format.dateTime(instant)}>
      {format.relative(instant, useNow(tickMs))}
    </time>
  )
}
