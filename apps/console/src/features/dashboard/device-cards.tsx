import type { Limits, QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { AnimatedNumber } from '../../ui/animated-number.tsx'
import { FigureCard } from './figure-card.tsx'

/** The system state of docs/specification.md#2-screens-and-routes: plays, active and unavailable devices, and the number of devices. */
export function DeviceCards({ metrics, limits }: { metrics: QuickMetrics; limits: Limits }) {
  const { t } = useWords()
  const format = useFormat()
  const { online, linkdown, linklost, neverup, playing } = metrics.devices
  return (
    <>
      <FigureCard
        label={t('dashboard:cards.played')}
        figure={<AnimatedNumber value={metrics.playedCount} format={format.number} />}
        note={t('dashboard:cards.playedNote')}
      />
      <FigureCard
        label={t('dashboard:cards.active')}
        figure={<AnimatedNumber value={online} format={format.number} />}
        note={t('dashboard:cards.activeNote', { playing: format.number(playing) })}
        to={`${paths.devices}?connectivity=online`}
      />
      <FigureCard
        label={t('dashboard:cards.unavailable')}
        figure={<AnimatedNumber value={linkdown + linklost} format={format.number} />}
        note={t('dashboard:cards.unavailableNote', {
          hour: format.number(linkdown),
          day: format.number(linklost),
        })}
        to={`${paths.devices}?connectivity=${linklost > linkdown ? 'linklost' : 'linkdown'}`}
      />
      <FigureCard
        label={t('dashboard:cards.devices')}
        figure={<AnimatedNumber value={limits.devices.used} format={format.number} />}
        share={limits.devices.limit === 0 ? 0 : limits.devices.used / limits.devices.limit}
        note={t('dashboard:cards.devicesNote', {
          limit: format.number(limits.devices.limit),
          never: format.number(neverup),
        })}
        to={paths.devices}
      />
    </>
  )
}
