import { IconDeviceSpeaker, type Icon } from '@tabler/icons-react'
import type { PageName } from './pages.ts'

/** One icon a page, the same in the sidebar and the palette. */
export const pageIcons: Record<PageName, Icon> = {
  devices: IconDeviceSpeaker,
}
