import { IconDeviceSpeaker, IconLayoutDashboard, IconStack2, IconUser, type Icon } from '@tabler/icons-react'
import type { PageName } from './pages.ts'

/** One icon a page, the same in the sidebar and the palette. */
export const pageIcons: Record<PageName, Icon> = {
  overview: IconLayoutDashboard,
  profile: IconUser,
  devices: IconDeviceSpeaker,
  device: IconDeviceSpeaker,
  groups: IconStack2,
  group: IconStack2,
}
