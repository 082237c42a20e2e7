import type { SmartDay } from '@floorcast/planner/smart-day.ts'
import { ActionIcon, Group, Text } from '@mantine/core'
import { IconZoomIn, IconZoomOut, IconZoomReset } from '@tabler/icons-react'
import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useLanguage, useTranslate } from '../../platform/i18n.ts'
import { Panel } from '../../ui/panel.tsx'
import { type RibbonFrame, useRibbonCanvas } from '../../ui/ribbon/ribbon-canvas.ts'
import { stepOfKey } from '../../ui/ribbon/ribbon-keys.ts'
import { barWith, describeBar } from './ribbon-bars.ts'
import { drawRibbon, readColors } from './ribbon-draw.ts'
import { describeBlock, blockAt, blockOf, countBlocks } from './smart-blocks.ts'
import styles from './smart-playlists.module.css'
import { useRibbonZoom, type RibbonZoom } from './use-ribbon-zoom.ts'

interface RibbonProps {
  day: SmartDay
  /** Index of the chosen block, from 0. */
  chosen: number
  choose: (block: number) => void
  /** Plays the chosen block. */
  play: () => void
}

function actionOfKey(key: string, { zoom, play }: { zoom: RibbonZoom; play: () => void }) {
  const actions: Readonly<Record<string, () => void>> = {
    '+': () => zoom.change(1),
    '=': () => zoom.change(1),
    '-': () => zoom.change(-1),
    '0': zoom.reset,
    Enter: play,
    ' ': play,
  }
  return actions[key]
}

interface KeyActions {
  isMirrored: boolean
  zoom: RibbonZoom
  play: () => void
  /** @param step blocks */
  move: (step: number) => void
}

function followKey(event: KeyboardEvent, { isMirrored, zoom, play, move }: KeyActions): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const step = stepOfKey(event.key, { step: 1, page: 10, isMirrored })
  const action = actionOfKey(event.key, { zoom, play })
  if (step !== undefined) move(step)
  else if (action) action()
  else return
  event.preventDefault()
}

interface Marks {
  isMirrored: boolean
  chosen: number
  hovered: number
  percent: (share: number) => string
}

/** @param onBars called with the length of the bars in seconds, null for blocks */
const drawingOf = (day: SmartDay, marks: Marks, onBars: (length: number | null) => void) => ({
  windowSeconds: day.windowSeconds,
  isMirrored: marks.isMirrored,
  draw: (context: CanvasRenderingContext2D, { element, ...frame }: RibbonFrame) =>
    onBars(drawRibbon(context, day, { ...frame, ...marks, colors: readColors(element) })),
})

/** The day as a ribbon of blocks, or of bars where these are too narrow; pointer and keys zoom it and choose a block. */
export function Ribbon({ day, chosen, choose, play }: RibbonProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const isMirrored = useLanguage().language.dir === 'rtl'
  const viewport = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [hovered, setHovered] = useState(-1)
  /** Seconds of a bar; null while single blocks are drawn. */
  const [barSeconds, setBarSeconds] = useState<number | null>(null)
  const zoom = useRibbonZoom(viewport, { day, chosen })
  const marks = { isMirrored, chosen, hovered, percent: format.percent }
  const secondsAt = useRibbonCanvas(
    { viewport, canvas },
    { ...drawingOf(day, marks, setBarSeconds), zoom: zoom.factor },
  )
  const described = useMemo(() => blockOf(day, hovered < 0 ? chosen : hovered), [day, hovered, chosen])
  const pointed = barSeconds === null || hovered < 0 ? undefined : barWith(day, hovered, barSeconds)
  const count = countBlocks(day)
  const move = (step: number) => {
    const next = Math.max(0, Math.min(count - 1, chosen + step))
    choose(next)
    zoom.reveal(next)
  }
  const atPointer = (clientX: number) => blockAt(day, secondsAt(clientX))
  const text = described ? describeBlock({ t, format }, day, described) : ''
  return (
    <Panel title={t('wizard:ribbon.title')} end={<ZoomButtons zoom={zoom} />}>
      <div
        ref={viewport}
        className={styles.viewport}
        role="slider"
        tabIndex={0}
        aria-label={t('wizard:ribbon.label')}
        aria-valuemin={1}
        aria-valuemax={Math.max(1, count)}
        aria-valuenow={chosen + 1}
        aria-valuetext={text}
        onKeyDown={event => followKey(event, { isMirrored, zoom, play, move })}
      >
        <div style={{ inlineSize: `${zoom.factor * 100}%` }}>
          <canvas
            ref={canvas}
            className={styles.ribbon}
            onClick={event => choose(atPointer(event.clientX))}
            onDoubleClick={play}
            onPointerMove={event => setHovered(atPointer(event.clientX))}
            onPointerLeave={() => setHovered(-1)}
          />
        </div>
      </div>
      <Legend text={pointed ? describeBar({ t, format }, day, pointed) : text} barSeconds={barSeconds} />
    </Panel>
  )
}

/** Describes the block or bar under the pointer, or the chosen block, and explains the colors. */
function Legend({ text, barSeconds }: { text: string; barSeconds: number | null }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Group justify="space-between" gap="xs" mt="xs">
      <Text size="sm" className="fc-figures" aria-hidden>
        {text}
      </Text>
      <Group gap="md">
        {(['ad', 'melody'] as const).map(kind => (
          <Text key={kind} size="sm" c="dimmed" className={styles.key} data-kind={kind}>
            {t(`wizard:kinds.${kind}`)}
          </Text>
        ))}
      </Group>
      {barSeconds !== null && (
        <Text size="sm" c="dimmed" flex="1 0 100%">
          {t('wizard:ribbon.bars', { minutes: format.number(barSeconds / 60) })}
        </Text>
      )}
    </Group>
  )
}

function ZoomButtons({ zoom }: { zoom: RibbonZoom }) {
  const { t } = useTranslate()
  return (
    <Group gap={4}>
      <ActionIcon
        aria-label={t('wizard:ribbon.zoomOut')}
        disabled={!zoom.mayOut}
        onClick={() => zoom.change(-1)}
      >
        <IconZoomOut size={20} aria-hidden />
      </ActionIcon>
      <ActionIcon
        aria-label={t('wizard:ribbon.zoomIn')}
        disabled={!zoom.mayIn}
        onClick={() => zoom.change(1)}
      >
        <IconZoomIn size={20} aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label={t('wizard:ribbon.wholeDay')} disabled={!zoom.mayOut} onClick={zoom.reset}>
        <IconZoomReset size={20} aria-hidden />
      </ActionIcon>
    </Group>
  )
}
