import { useComputedColorScheme } from '@mantine/core'
import { useMemo } from 'react'
import { useLanguage } from '../../platform/i18n.ts'
import { useMatches } from '../../platform/media-query.ts'
import { colors } from '../theme/colors.ts'
import { canvasFont } from '../theme/canvas-font.ts'

/** How charts and the map are drawn: colors of the mode, direction of the language, motion as the user prefers. */
export interface ChartLook {
  isRtl: boolean
  isStill: boolean
  font: string
  text: string
  dimmed: string
  hairline: string
  panel: string
  /** Land on the map. */
  land: string
  /** Colors of series by their order: neighbors differ in hue and in lightness, each is 3:1 or more on the panel. */
  series: readonly string[]
  /** Colors of states, as those of the badges. */
  states: Readonly<Record<'good' | 'down' | 'none', string>>
}

const light = {
  font: canvasFont,
  text: colors.gray[9],
  dimmed: colors.gray[6],
  hairline: colors.gray[2],
  panel: '#ffffff',
  land: colors.gray[3],
  series: [colors.info[6], colors.orange[5], colors.primary[8], colors.citrus[5], colors.blue[5]],
  states: { good: colors.green[6], down: colors.red[6], none: colors.gray[6] },
}

const dark = {
  font: canvasFont,
  text: colors.dark[0],
  dimmed: colors.dark[2],
  hairline: colors.dark[5],
  panel: colors.dark[7],
  land: colors.dark[4],
  series: [colors.info[4], colors.orange[5], colors.primary[3], colors.citrus[5], colors.blue[5]],
  states: { good: colors.green[4], down: colors.red[4], none: colors.dark[2] },
}

/** Colors by mode, for tests and for charts. */
export const chartColors = { light, dark } as const

/** The look of charts in the user's mode and language. */
export function useChartLook(): ChartLook {
  const scheme = useComputedColorScheme('light')
  const { language } = useLanguage()
  const isStill = useMatches('(prefers-reduced-motion: reduce)')
  const isRtl = language.dir === 'rtl'
  return useMemo(() => ({ ...chartColors[scheme], isRtl, isStill }), [scheme, isRtl, isStill])
}
