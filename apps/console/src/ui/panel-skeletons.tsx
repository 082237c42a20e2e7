import { Skeleton } from '@mantine/core'
import { Panel } from './panel.tsx'

/** Hold the places of panels that are on their way. @param heights about those of their contents, in pixels */
export const PanelSkeletons = ({ heights }: { heights: readonly number[] }) =>
  heights.map((height, place) => (
    <Panel key={place}>
      <Skeleton height={height} aria-busy />
    </Panel>
  ))
