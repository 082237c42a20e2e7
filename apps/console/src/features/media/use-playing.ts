import { useEffect, useState, type RefObject } from 'react'

/** What a media element is doing; times in seconds. */
export interface Playing {
  isPlaying: boolean
  atSeconds: number
}

/** Follows an audio or video element, and stops it when the page is left. */
export function usePlaying(element: RefObject<HTMLMediaElement | null>): Playing {
  const [playing, set] = useState<Playing>({ isPlaying: false, atSeconds: 0 })
  useEffect(() => {
    const media = element.current
    if (!media) return
    const read = () => set({ isPlaying: !media.paused && !media.ended, atSeconds: media.currentTime })
    const events = ['play', 'pause', 'ended', 'timeupdate', 'seeked']
    for (const event of events) media.addEventListener(event, read)
    return () => {
      for (const event of events) media.removeEventListener(event, read)
      media.pause()
    }
  }, [element])
  return playing
}
