import countries from 'virtual:country-shapes'
import { ActionIcon, Group } from '@mantine/core'
import { IconMinus, IconPlus, IconZoomReset } from '@tabler/icons-react'
import { CustomChart } from 'echarts/charts'
import { GeoComponent, TooltipComponent } from 'echarts/components'
import { init, registerMap, use as addParts, type ECharts } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { useChartLook, type ChartLook } from '../charts/chart-look.ts'
import { drawBubble, type MapBubble } from './map-bubble.ts'
import styles from './world-map.module.css'

/** Web Mercator in radians, y to the south: shapes stay true at every zoom. Latitudes are bounded to where shops are. */
function project(longitude: number, latitude: number): [x: number, y: number] {
  const bounded = Math.max(-80, Math.min(80, latitude))
  return [(longitude * Math.PI) / 180, -Math.log(Math.tan(Math.PI / 4 + (bounded * Math.PI) / 360))]
}

/** The inverse of `project`. */
const unproject = (x: number, y: number): [longitude: number, latitude: number] => [
  (x * 180) / Math.PI,
  (Math.atan(Math.exp(-y)) * 360) / Math.PI - 90,
]

addParts([CustomChart, GeoComponent, TooltipComponent, CanvasRenderer])

const MAP = 'world'
const MAX_ZOOM = 200
const ZOOM_STEP = 2
/** The share of the map that the bubbles fill when it shows all of them. */
const MARGIN = 0.8
/** A lone place is shown with the countries around it. */
const MIN_SPAN = 0.15

registerMap(MAP, { type: 'FeatureCollection', features: countries })

interface WorldMapProps {
  label: string
  bubbles: readonly MapBubble[]
  onPick: (bubble: MapBubble) => void
  /** The map was zoomed. @param pixelsPerDegree of longitude */
  onScale: (pixelsPerDegree: number) => void
}

/** Countries with bubbles on them, to drag and to zoom. The wheel scrolls the page. It does not turn around from right to left. */
export default function WorldMap({ label, ...handlers }: WorldMapProps) {
  const { t } = useTranslate()
  const look = useChartLook()
  const { box, map } = useMap(handlers)
  const { bubbles, onScale } = handlers
  const isFitted = useRef(false)
  useEffect(() => {
    map.current?.setOption(geoOption(look))
  }, [map, look])
  useEffect(() => {
    const drawn = map.current
    if (!drawn) return
    drawn.setOption(bubbleOption(bubbles, look))
    if (isFitted.current || bubbles.length === 0) return
    isFitted.current = true
    fit(drawn, bubbles)
    onScale(pixelsPerDegree(drawn))
  }, [map, bubbles, look, onScale])

  const change = (view: (drawn: ECharts) => void) => () => {
    if (!map.current) return
    view(map.current)
    onScale(pixelsPerDegree(map.current))
  }
  const zoomBy = (factor: number) =>
    change(drawn => setView(drawn, { zoom: Math.min(MAX_ZOOM, Math.max(1, viewOf(drawn).zoom * factor)) }))
  return (
    <div className={styles.map}>
      <div ref={box} dir="ltr" className={styles.box} role="img" aria-label={label} />
      <Group className={styles.zoom} gap={4}>
        <ActionIcon variant="default" aria-label={t('charts:map.zoomIn')} onClick={zoomBy(ZOOM_STEP)}>
          <IconPlus size={20} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="default" aria-label={t('charts:map.zoomOut')} onClick={zoomBy(1 / ZOOM_STEP)}>
          <IconMinus size={20} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={t('charts:map.showAll')}
          onClick={change(drawn => fit(drawn, bubbles))}
        >
          <IconZoomReset size={20} aria-hidden />
        </ActionIcon>
      </Group>
    </div>
  )
}

/** The map in its box, as wide as the box is. */
function useMap({ bubbles, onPick, onScale }: Omit<WorldMapProps, 'label'>) {
  const box = useRef<HTMLDivElement>(null)
  const map = useRef<ECharts>(null)
  const current = useRef({ bubbles, onPick, onScale })
  useEffect(() => {
    current.current = { bubbles, onPick, onScale }
  })
  useEffect(() => {
    if (!box.current) return
    const drawn = init(box.current)
    map.current = drawn
    const watcher = new ResizeObserver(() => {
      drawn.resize()
      current.current.onScale(pixelsPerDegree(drawn))
    })
    watcher.observe(box.current)
    drawn.on('click', ({ dataIndex }) => {
      const bubble = current.current.bubbles[dataIndex]
      if (bubble) current.current.onPick(bubble)
    })
    return () => {
      watcher.disconnect()
      drawn.dispose()
    }
  }, [])
  return { box, map }
}

const geoOption = (look: ChartLook) => ({
  animation: false,
  geo: {
    map: MAP,
    projection: {
      project: ([longitude = 0, latitude = 0]: number[]) => project(longitude, latitude),
      unproject: ([x = 0, y = 0]: number[]) => unproject(x, y),
    },
    roam: 'move',
    silent: true,
    top: 0,
    bottom: 0,
    left: 0,
    right: 0,
    preserveAspect: 'contain',
    scaleLimit: { min: 1, max: MAX_ZOOM },
    itemStyle: { areaColor: look.land, borderColor: look.panel, borderWidth: 0.75 },
  },
})

const bubbleOption = (bubbles: readonly MapBubble[], look: ChartLook) => ({
  tooltip: {
    confine: true,
    transitionDuration: 0,
    backgroundColor: look.panel,
    borderColor: look.hairline,
    textStyle: { color: look.text, fontFamily: look.font, fontSize: 13 },
    formatter: ({ dataIndex }: { dataIndex: number }) => drawTooltip(bubbles[dataIndex], look.isRtl),
  },
  series: {
    type: 'custom',
    id: 'bubbles',
    coordinateSystem: 'geo',
    cursor: 'pointer',
    renderItem: ({ dataIndex }: { dataIndex: number }, api: { coord: (position: number[]) => number[] }) => {
      const bubble = bubbles[dataIndex]
      return bubble && drawBubble(bubble, api.coord([bubble.longitude, bubble.latitude]), look)
    },
    data: bubbles.map(({ longitude, latitude }) => [longitude, latitude]),
  },
})

interface View {
  zoom: number
  /** In units of the projection. */
  center?: [x: number, y: number]
}

function viewOf(map: ECharts): View {
  const { geo } = map.getOption() as { geo?: Partial<View>[] }
  return { zoom: geo?.[0]?.zoom ?? 1 }
}

const setView = (map: ECharts, view: View) => map.setOption({ geo: view })

/** The pixels of a radian of the projection, which are those of a radian of longitude. */
function pixelsPerRadian(map: ECharts): number {
  const [left = 0] = map.convertToPixel('geo', [0, 0])
  const [right = 0] = map.convertToPixel('geo', [1, 0])
  return ((right - left) * 180) / Math.PI
}

const pixelsPerDegree = (map: ECharts) => (pixelsPerRadian(map) * Math.PI) / 180

/** Shows all bubbles, as near as they fit. */
function fit(map: ECharts, bubbles: readonly MapBubble[]): void {
  if (bubbles.length === 0) return
  const places = bubbles.map(({ longitude, latitude }) => project(longitude, latitude))
  const xs = places.map(([x]) => x)
  const ys = places.map(([, y]) => y)
  const [west, east] = [Math.min(...xs), Math.max(...xs)]
  const [north, south] = [Math.min(...ys), Math.max(...ys)]
  const unzoomed = pixelsPerRadian(map) / viewOf(map).zoom
  const zoom =
    MARGIN *
    Math.min(
      map.getWidth() / (Math.max(MIN_SPAN, east - west) * unzoomed),
      map.getHeight() / (Math.max(MIN_SPAN, south - north) * unzoomed),
    )
  setView(map, {
    zoom: Math.min(MAX_ZOOM, Math.max(1, zoom)),
    center: [(west + east) / 2, (north + south) / 2],
  })
}

/** Elements, not HTML: names of users are in it. */
function drawTooltip(bubble: MapBubble | undefined, isRtl: boolean): HTMLElement {
  const box = document.createElement('div')
  box.dir = isRtl ? 'rtl' : 'ltr'
  const title = document.createElement('strong')
  title.textContent = bubble?.name ?? ''
  box.append(title)
  for (const text of bubble?.lines ?? []) {
    const line = document.createElement('div')
    line.textContent = text
    box.append(line)
  }
  return box
}
