import { useEffect, useRef } from 'react'
import type { PagePlayer } from './page-player.ts'
import styles from './streaming.module.css'

/** The picture of a video device: its two elements, of which the one that plays is seen. */
export function VideoScreen({ streaming, isShown }: { streaming: PagePlayer; isShown: boolean }) {
  const screen = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const elements = streaming.player.tracks.decks.map(({ element }) => element)
    // A browser pauses an element that leaves or changes the document.
    const move = (work: () => void) => {
      const playing = elements.filter(element => !element.paused)
      work()
      setTimeout(() => playing.forEach(element => void element.play().catch(() => undefined)))
    }
    move(() => screen.current?.append(...elements))
    return () => move(() => elements.forEach(element => element.remove()))
  }, [streaming])
  return <div ref={screen} className={styles.screen} data-shown={isShown || undefined} />
}
