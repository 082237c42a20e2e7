import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { init, use as addParts, type ECharts } from 'echarts/core'
import { LegacyGridContainLabel } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { useChartLook, type ChartLook } from './chart-look.ts'
import { buildChartOption, markOf, shownSeries, toRows, type ChartData } from './chart-option.ts'
import styles from './chart.module.css'

addParts([BarChart, LineChart, GridComponent, TooltipComponent, LegacyGridContainLabel, CanvasRenderer])

interface ChartCanvasProps {
  label: string
  /** How the chart is used with the keyboard, for a screen reader. */
  hint: string
  data: ChartData
}

/** Draws figures over time. The arrow keys go from instant to instant, and a screen reader hears the figures there. */
export default function ChartCanvas({ label, hint, data }: ChartCanvasProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const look = useChartLook()
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts>(null)
  const [index, setIndex] = useState<number | null>(null)
  const rows = useMemo(() => toRows(data), [data])
  useEffect(() => {
    if (!box.current) return
    const drawn = init(box.current)
    chart.current = drawn
    const watcher = new ResizeObserver(() => drawn.resize())
    watcher.observe(box.current)
    // It may have been drawn without letters that come now.
    const redraw = () => drawn.resize()
    document.fonts.addEventListener('loadingdone', redraw)
    return () => {
      document.fonts.removeEventListener('loadingdone', redraw)
      watcher.disconnect()
      drawn.dispose()
    }
  }, [])
  useEffect(() => {
    const option = buildChartOption(data, look, row => drawTooltip(data, look, row))
    chart.current?.setOption(option, { replaceMerge: ['series'] })
  }, [data, look])

  const goTo = (next: number | null) => {
    setIndex(next)
    if (next === null) chart.current?.dispatchAction({ type: 'hideTip' })
    else showTip(chart.current, data, rows[next]?.at)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = stepByKey(event.key, { index, last: rows.length - 1, isRtl: look.isRtl })
    if (next === undefined) return
    event.preventDefault()
    goTo(next)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application takes keys itself
    <div
      className={styles.canvas}
      tabIndex={0}
      role="application"
      aria-label={t('charts:chart.titled', { title: label, text: hint })}
      onKeyDown={onKeyDown}
      onBlur={() => goTo(null)}
    >
      {/* The mirrored axis is the chart's own: the kit places text by the page's direction else. */}
      <div ref={box} dir="ltr" className={styles.box} />
      <output className="fc-unseen" aria-live="polite">
        {index !== null && describeRow({ t, format }, data, index)}
      </output>
    </div>
  )
}

interface Place {
  index: number | null
  last: number
  isRtl: boolean
}

/** The index that a key leads to; null: none; undefined: the key is not the chart's. */
function stepByKey(key: string, { index, last, isRtl }: Place): number | null | undefined {
  if (key === 'Escape') return index === null ? undefined : null
  if (key === 'Home') return 0
  if (key === 'End') return last
  const isForward = key === (isRtl ? 'ArrowLeft' : 'ArrowRight')
  if (!isForward && key !== (isRtl ? 'ArrowRight' : 'ArrowLeft')) return undefined
  if (index === null) return last
  return Math.min(last, Math.max(0, index + (isForward ? 1 : -1)))
}

/** Shows the tooltip of an instant at the first series that has a figure there. */
function showTip(chart: ECharts | null, data: ChartData, at: number | undefined): void {
  shownSeries(data).some(({ points }, seriesIndex) => {
    const place = points.findIndex(([time]) => time === at)
    if (place < 0) return false
    const dataIndex = data.form === 'bars' ? toRows(data).findIndex(row => row.at === at) : place
    chart?.dispatchAction({ type: 'showTip', seriesIndex, dataIndex })
    return true
  })
}

const valueText = ({ format }: ChartData, value: number | null | undefined) =>
  value === null || value === undefined ? '–' : format.value(value)

function describeRow(
  { t, format }: { t: Translate; format: Format },
  data: ChartData,
  index: number,
): string {
  const row = toRows(data)[index]
  if (!row) return ''
  const figures = shownSeries(data).map(({ name }, column) =>
    t('labeled', { label: name, value: valueText(data, row.values[column]) }),
  )
  return t('charts:chart.titled', { title: data.format.moment(row.at), text: format.list(figures) })
}

/** Elements, not HTML: names of users are in it. */
function drawTooltip(data: ChartData, look: ChartLook, index: number): HTMLElement {
  const box = document.createElement('div')
  box.dir = look.isRtl ? 'rtl' : 'ltr'
  box.className = styles['tooltip'] ?? ''
  const row = toRows(data)[index]
  if (!row) return box
  const title = document.createElement('strong')
  title.textContent = data.format.moment(row.at)
  box.append(title)
  for (const [column, { name, ...one }] of shownSeries(data).entries()) {
    const mark = document.createElement('i')
    mark.style.background = markOf(look, one)
    const label = document.createElement('bdi')
    label.textContent = name
    const figure = document.createElement('b')
    figure.textContent = valueText(data, row.values[column])
    const line = document.createElement('span')
    line.append(mark, label, figure)
    box.append(line)
  }
  return box
}
