import { useCallback, useEffect, useRef, useState } from 'react'
import { z } from 'zod'

const DraftNews = z.union([
  z.object({ kind: z.literal('changed') }),
  z.object({
    kind: z.literal('finished'),
    /** The playlist that was made of the draft. */
    uid: z.string().nullable(),
  }),
])
/** The message of another tab about the same draft. */
export type DraftNews = z.infer<typeof DraftNews>

/**
 * Tabs with the same draft tell each other what they do with it. Local storage tells other tabs too, but not of drafts in
 * IndexedDB.
 */
export function useDraftNews(key: string): {
  news: DraftNews | null
  tell: (news: DraftNews) => void
  clear: () => void
} {
  const [news, setNews] = useState<DraftNews | null>(null)
  const channel = useRef<BroadcastChannel>(null)
  useEffect(() => {
    const opened = new BroadcastChannel(key)
    opened.onmessage = ({ data }) => {
      const heard = DraftNews.safeParse(data).data
      if (heard) setNews(heard)
    }
    channel.current = opened
    return () => {
      channel.current = null
      opened.close()
    }
  }, [key])
  const tell = useCallback((told: DraftNews) => channel.current?.postMessage(told), [])
  const clear = useCallback(() => setNews(null), [])
  return { news, tell, clear }
}
