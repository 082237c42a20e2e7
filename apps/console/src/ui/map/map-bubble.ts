import type { ChartLook } from '../charts/chart-look.ts'

/** Those of the badges of connections: lists, pages and the map show them alike. */
type Tone = keyof ChartLook['states']

/** A bubble at one place of the map. */
export interface MapBubble {
  id: string
  longitude: number
  latitude: number
  name: string
  /** The lines of the tooltip below the name. */
  lines: readonly string[]
  /** How many there are in each state. */
  counts: Readonly<Record<Tone, number>>
  /** All of them, as it is written in the bubble. */
  total: string
  /** How many are down, as it is written below the bubble; null: none. */
  down: string | null
}

const order: readonly Tone[] = ['good', 'down', 'none']
const radiusOf = (count: number) => Math.min(28, 12 + 4 * Math.log10(count))

/** The signs of states, which the badges have too: not by color alone. */
const signs: Readonly<Record<Tone, object>> = {
  good: { type: 'polyline', shape: { points: [[-4, 0], [-1, 3], [4, -3]] } }, // prettier-ignore
  down: {
    type: 'path',
    shape: { pathData: 'M-3 -3L3 3M3 -3L-3 3', x: -3, y: -3, width: 6, height: 6 },
  },
  none: { type: 'polyline', shape: { points: [[-4, 0], [4, 0]] } }, // prettier-ignore
}

/** A ring whose parts are the states, the number within, and below it the sign and number of those that are down. */
export function drawBubble(bubble: MapBubble, [x = 0, y = 0]: readonly number[], look: ChartLook): object {
  const sum = order.reduce((total, tone) => total + bubble.counts[tone], 0)
  const radius = radiusOf(sum)
  const isOne = sum === 1
  const only = order.find(tone => bubble.counts[tone] > 0) ?? 'none'
  return {
    type: 'group',
    x,
    y,
    children: [
      {
        type: 'circle',
        shape: { r: radius },
        style: { fill: look.panel, shadowBlur: 4, shadowColor: '#0004' },
      },
      ...drawRing(bubble, { radius, sum, look }),
      isOne
        ? { ...signs[only], style: { stroke: look.states[only], lineWidth: 2, fill: 'none' } }
        : {
            type: 'text',
            style: {
              text: bubble.total,
              ...textStyle(look),
              fill: look.text,
              align: 'center',
              verticalAlign: 'middle',
            },
          },
      ...(isOne || bubble.down === null ? [] : drawBadge(bubble.down, { radius, look })),
    ],
  }
}

const textStyle = (look: ChartLook) => ({ fontFamily: look.font, fontSize: 12, fontWeight: 600 })

interface Ring {
  radius: number
  sum: number
  look: ChartLook
}

function drawRing(bubble: MapBubble, { radius, sum, look }: Ring): object[] {
  let angle = -Math.PI / 2
  return order
    .filter(tone => bubble.counts[tone] > 0)
    .map(tone => {
      const startAngle = angle
      angle += (bubble.counts[tone] / sum) * 2 * Math.PI
      return {
        type: 'sector',
        shape: { cx: 0, cy: 0, r0: radius - 4, r: radius, startAngle, endAngle: angle },
        style: { fill: look.states[tone] },
      }
    })
}

interface Badge {
  radius: number
  look: ChartLook
}

function drawBadge(text: string, { radius, look }: Badge): object[] {
  const color = look.states.down
  const width = 22 + 7 * text.length
  return [
    {
      type: 'rect',
      shape: { x: -width / 2, y: radius - 4, width, height: 16, r: 8 },
      style: { fill: look.panel, stroke: color, lineWidth: 1 },
    },
    {
      ...signs.down,
      x: -width / 2 + 9,
      y: radius + 4,
      style: { stroke: color, lineWidth: 2, fill: 'none' },
    },
    {
      type: 'text',
      style: {
        text,
        ...textStyle(look),
        fontSize: 11,
        fill: color,
        x: -width / 2 + 17,
        y: radius + 4,
        verticalAlign: 'middle',
      },
    },
  ]
}
