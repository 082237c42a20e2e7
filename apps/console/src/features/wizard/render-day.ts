import { createContext, type ReactNode } from 'react'
import type { ShownDay } from './use-plan.ts'

interface DayViewProps extends ShownDay {
  isVideo: boolean
  /** The minimum ad separation that was set, in seconds. */
  minAdGap: number
}

/** Renders the planned day; the page that holds the wizard provides it. */
export const RenderDayContext = createContext<(day: DayViewProps) => ReactNode>(() => null)
