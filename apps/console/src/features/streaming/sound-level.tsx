import { useEffect, useRef } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import type { Sound } from './sound.ts'
import styles from './streaming.module.css'

const INTERVAL_MS = 100
/** The quietest level that is drawn, in decibels below full scale. */
const FLOOR_DB = -60

/** Shows that sound is heard, by its level. */
export function SoundLevel({ sound }: { sound: Sound }) {
  const { t } = useTranslate()
  const meter = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const draw = () => {
      const level = sound.level()
      const decibels = level > 0 ? 20 * Math.log10(level) : -Infinity
      const share = Math.max(0, Math.min(1, 1 - decibels / FLOOR_DB))
      if (!meter.current) return
      meter.current.style.setProperty('--level', String(share))
      meter.current.dataset['level'] = level.toFixed(4)
    }
    const timer = setInterval(draw, INTERVAL_MS)
    return () => clearInterval(timer)
  }, [sound])
  return <div ref={meter} className={styles.level} role="img" aria-label={t('streaming:level')} />
}
