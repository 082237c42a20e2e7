import { Skeleton } from '@mantine/core'
import { Panel } from './panel.tsx'

/** The height of a panel's content in pixels, about: on a phone, and in a wider window. */
export type PanelHeight = Readonly<{ base: number; sm: number }>

/** Hold the places of panels that are on their way. */
export const PanelSkeletons = ({ heights }: { heights: readonly PanelHeight[] }) =>
  heights.map((height, place) => (
    <Panel key={place}>
      <Skeleton h={height} aria-busy />
    </Panel>
  ))
