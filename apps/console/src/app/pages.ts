import type { ComponentType } from 'react'
import { paths } from '../platform/paths.ts'
import type { Role } from './guards.ts'

/** The name of a page: a key of `routes.json`, for the top bar, the crumbs, the palette and the window's title. */
export type PageName = 'overview' | 'profile' | 'devices' | 'device' | 'groups' | 'group'

export type SectionName = 'home' | 'media' | 'equipment' | 'deployments' | 'account' | 'logging'

/** A page behind the sign-in guard. */
export interface Page {
  /** SPEC section 2's path. */
  path: string
  name: PageName
  section: SectionName
  /** The list that a detail page belongs to: a crumb that leads back. */
  parent?: { path: string; name: PageName }
  /** Who may see it; everyone signed in when absent. */
  roles?: readonly [Role, ...Role[]]
  load: () => Promise<ComponentType>
}

const notStreamer = ['manager', 'admin'] as const

/** Every page there is. A new one is a line here, its words in `routes.json`, and, if it is a list, an entry in `sections.ts`. */
export const pages: readonly Page[] = [
  {
    path: paths.overview,
    name: 'overview',
    section: 'home',
    roles: notStreamer,
    load: async () => (await import('../features/dashboard/overview-page.tsx')).OverviewPage,
  },
  {
    path: paths.profile,
    name: 'profile',
    section: 'account',
    load: async () => (await import('../features/profile/profile-page.tsx')).ProfilePage,
  },
  {
    path: paths.devices,
    name: 'devices',
    section: 'equipment',
    roles: notStreamer,
    load: async () => (await import('../features/devices/devices-page.tsx')).DevicesPage,
  },
  {
    path: paths.device(':uid'),
    name: 'device',
    section: 'equipment',
    parent: { path: paths.devices, name: 'devices' },
    roles: notStreamer,
    load: async () => (await import('../features/devices/device-page.tsx')).DevicePage,
  },
  {
    path: paths.groups,
    name: 'groups',
    section: 'equipment',
    roles: notStreamer,
    load: async () => (await import('../features/groups/groups-page.tsx')).GroupsPage,
  },
  {
    path: paths.group(':uid'),
    name: 'group',
    section: 'equipment',
    parent: { path: paths.groups, name: 'groups' },
    roles: notStreamer,
    load: async () => (await import('../features/groups/group-page.tsx')).GroupPage,
  },
]
