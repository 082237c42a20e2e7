import type { SessionUser } from '@floorcast/contract/auth.ts'
import {
  IconBroadcast,
  IconDevices,
  IconHistory,
  IconLayoutDashboard,
  IconMusic,
  IconPlayerPlay,
  IconPackage,
  IconReportAnalytics,
  IconSettings,
  IconUrgent,
  IconTrash,
  type Icon,
} from '@tabler/icons-react'
import { paths } from '../platform/paths.ts'
import { pageOf, pages, type Page, type SectionName } from './pages.ts'

interface Section {
  name: SectionName
  icon: Icon
  /** A rarely used section: folded until the user opens it or one of its pages. */
  isFolded?: true
}

/** The sidebar, from top to bottom (docs/specification.md#2-screens-and-routes). */
const sections: readonly Section[] = [
  { name: 'home', icon: IconLayoutDashboard },
  { name: 'media', icon: IconMusic },
  { name: 'equipment', icon: IconDevices },
  { name: 'deployments', icon: IconBroadcast },
  { name: 'reports', icon: IconReportAnalytics },
  { name: 'alerts', icon: IconUrgent },
  { name: 'administration', icon: IconSettings, isFolded: true },
  { name: 'updates', icon: IconPackage, isFolded: true },
  { name: 'logging', icon: IconHistory, isFolded: true },
  { name: 'recycle', icon: IconTrash, isFolded: true },
]

export interface ShownSection {
  name: SectionName
  icon: Icon
  pages: readonly Page[]
  isFolded: boolean
}

/** The menu has no page of an item, and none that another page leads to. */
const isListed = ({ path, parent }: Page) => parent === undefined && !path.endsWith(':uid')

/** The only page of a streamer. */
function streamingPage({ linkedDeviceUid }: Pick<SessionUser, 'linkedDeviceUid'>): readonly Page[] {
  return linkedDeviceUid ? [{ ...pageOf('streaming'), path: paths.streaming(linkedDeviceUid) }] : []
}

/** The sections of a user, with the pages that the user may open. */
export function sectionsFor(
  user: Pick<SessionUser, 'role' | 'rights' | 'linkedDeviceUid'>,
): readonly ShownSection[] {
  const { role, rights } = user
  if (role === 'streamer')
    return [{ name: 'home', icon: IconPlayerPlay, pages: streamingPage(user), isFolded: false }]
  const mayOpen = (page: Page) =>
    (page.roles?.includes(role) ?? true) && (rights === 'full' || !page.isForChanges)
  return sections.flatMap(({ name, icon, isFolded = false }) => {
    const shown = pages.filter(page => page.section === name && isListed(page) && mayOpen(page))
    return shown.length > 0 ? [{ name, icon, pages: shown, isFolded }] : []
  })
}
