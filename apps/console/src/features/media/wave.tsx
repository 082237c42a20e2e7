import type { MediaCard } from '@floorcast/contract/media.ts'
import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { useFormat } from '../../platform/format.ts'
import styles from './media.module.css'

/** Decoding an hour of sound takes hundreds of megabytes in a browser; longer files get a plain line. */
const maxWaveSeconds = 20 * 60
const stepSeconds = 5
const waveHeight = 72

interface WaveProps {
  media: MediaCard
  audio: RefObject<HTMLAudioElement | null>
  address: string | undefined
  atSeconds: number
  seek: (seconds: number) => void
}

/** The waveform of a sound and the playback position, which pointer and arrow keys move. */
export function Wave({ media, audio, address, atSeconds, seek }: WaveProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const box = useRef<HTMLDivElement>(null)
  const total = media.durationSeconds
  useWave(box, { audio, address: total <= maxWaveSeconds ? address : undefined })
  const onKey = (event: KeyboardEvent) => {
    const goal = {
      ArrowRight: atSeconds + stepSeconds,
      ArrowUp: atSeconds + stepSeconds,
      ArrowLeft: atSeconds - stepSeconds,
      ArrowDown: atSeconds - stepSeconds,
      Home: 0,
      End: total,
    }[event.key]
    if (goal === undefined) return
    event.preventDefault()
    seek(goal)
  }
  return (
    <div
      className={styles.wave}
      role="slider"
      tabIndex={0}
      aria-label={t('media:place')}
      aria-valuemin={0}
      aria-valuemax={Math.round(total)}
      aria-valuenow={Math.round(atSeconds)}
      aria-valuetext={t('media:placeOf', { at: format.duration(atSeconds), total: format.duration(total) })}
      onKeyDown={onKey}
      onClick={event => {
        const { left, width } = event.currentTarget.getBoundingClientRect()
        seek(((event.clientX - left) / width) * total)
      }}
    >
      <div className={styles.line} style={{ inlineSize: `${(Math.min(atSeconds, total) / total) * 100}%` }} />
      <div ref={box} aria-hidden />
    </div>
  )
}

/** Draws the waveform when the file has loaded; the library is loaded on demand. */
function useWave(
  box: RefObject<HTMLDivElement | null>,
  { audio, address }: { audio: RefObject<HTMLAudioElement | null>; address: string | undefined },
): void {
  useEffect(() => {
    const container = box.current
    const media = audio.current
    if (!container || !media || !address) return
    let isGone = false
    let remove = () => {}
    void import('wavesurfer.js').then(({ default: WaveSurfer }) => {
      if (isGone) return
      const style = getComputedStyle(container)
      const wave = WaveSurfer.create({
        container,
        media,
        // The same address as the element's: another would load the file again.
        url: media.src,
        height: waveHeight,
        interact: false,
        barWidth: 2,
        barGap: 1,
        barRadius: 2,
        cursorWidth: 1,
        normalize: true,
        waveColor: style.getPropertyValue('--fc-wave').trim(),
        progressColor: style.getPropertyValue('--fc-wave-played').trim(),
        cursorColor: style.color,
      })
      // The sound plays without its waveform.
      wave.on('error', () => undefined)
      wave.on('decode', () => container.parentElement?.setAttribute('data-drawn', ''))
      remove = () => wave.destroy()
    })
    return () => {
      isGone = true
      remove()
    }
  }, [box, audio, address])
}
