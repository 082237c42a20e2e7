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
import { pages, type Page, type PageName, type SectionName } from './pages.ts'

interface Section {
  name: SectionName
  icon: Icon
  /** In the order of docs/specification.md#2-screens-and-routes; sections without a page are left out. */
  entries: readonly PageName[]
  /** Of rarer use: folded until it is opened, or one of its pages is. */
  isFolded?: true
}

/** The sidebar, from top to bottom. */
const sections: readonly Section[] = [
  { name: 'home', icon: IconLayoutDashboard, entries: ['overview'] },
  {
    name: 'media',
    icon: IconMusic,
    entries: ['videos', 'videosAds', 'melodies', 'ads', 'playlists', 'wizard'],
  },
  { name: 'equipment', icon: IconDevices, entries: ['devices', 'groups'] },
  { name: 'deployments', icon: IconBroadcast, entries: ['publications'] },
  { name: 'reports', icon: IconReportAnalytics, entries: ['reports'] },
  { name: 'alerts', icon: IconUrgent, entries: ['alerts'] },
  {
    name: 'administration',
    icon: IconSettings,
    entries: ['tags', 'configurationProfiles', 'users', 'proofKeys'],
    isFolded: true,
  },
  {
    name: 'updates',
    icon: IconPackage,
    entries: ['packages', 'packagePublication', 'updateFiles', 'channels'],
    isFolded: true,
  },
  { name: 'logging', icon: IconHistory, entries: ['logs', 'audit'], isFolded: true },
  {
    name: 'recycle',
    icon: IconTrash,
    entries: ['mediaBin', 'playlistsBin', 'publicationsBin', 'devicesBin', 'groupsBin'],
    isFolded: true,
  },
]

export interface ShownSection {
  name: SectionName
  icon: Icon
  pages: readonly Page[]
  isFolded: boolean
}

/** The only page of a streamer. */
function streamingPage({ linkedDeviceUid }: Pick<SessionUser, 'linkedDeviceUid'>): readonly Page[] {
  const page = pages.find(({ name }) => name === 'streaming')
  return page && linkedDeviceUid ? [{ ...page, path: paths.streaming(linkedDeviceUid) }] : []
}

/** The sections of a user, with the pages that the user may open. */
export function sectionsFor(
  user: Pick<SessionUser, 'role' | 'rights' | 'linkedDeviceUid'>,
): readonly ShownSection[] {
  const { role, rights } = user
  if (role === 'streamer')
    return [{ name: 'home', icon: IconPlayerPlay, pages: streamingPage(user), isFolded: false }]
  return sections.flatMap(({ name, icon, entries, isFolded = false }) => {
    const shown = entries
      .flatMap(entry => pages.find(page => page.name === entry) ?? [])
      .filter(page => (page.roles?.includes(role) ?? true) && (rights === 'full' || !page.isForChanges))
    return shown.length > 0 ? [{ name, icon, pages: shown, isFolded }] : []
  })
}
