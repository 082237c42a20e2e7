import type { Pool } from 'pg'

/** The first items of a client, by name. */
export interface Items {
  device: string
  group: string
  melody: string
  playlist: string
  publication: string
}

/** A route of the console that is measured. */
export interface Route {
  name: string
  path: (items: Items) => string
  /** A selector of its first content, in the main part of the page. */
  content: string
  /** The name of its link in the menu. */
  link?: string
  /** The list whose rows lead to it. */
  list?: string
}

const list = (name: string, link: string, path: string): Route => ({
  name,
  link,
  path: () => path,
  content: `tbody a[href^="${path}One/"]`,
})

/** Lists come before their details. */
export const ROUTES: readonly Route[] = [
  {
    name: 'overview',
    link: 'Overview',
    path: () => '/home/overview',
    content: 'a[href^="/equipments/devices?"]',
  },
  list('devices', 'Devices', '/equipments/devices'),
  {
    name: 'device',
    list: 'devices',
    path: ({ device }) => `/equipments/devicesOne/${device}`,
    content: 'dl',
  },
  { name: 'devicesImport', path: () => '/equipments/devicesImport', content: 'button' },
  list('groups', 'Groups', '/equipments/groups'),
  { name: 'group', list: 'groups', path: ({ group }) => `/equipments/groupsOne/${group}`, content: 'dl' },
  list('melodies', 'Melodies', '/media/melodies'),
  { name: 'melody', list: 'melodies', path: ({ melody }) => `/media/melodiesOne/${melody}`, content: 'dl' },
  list('playlists', 'Playlists', '/media/playlists'),
  {
    name: 'playlist',
    list: 'playlists',
    path: ({ playlist }) => `/media/playlistsOne/${playlist}`,
    content: '[role="row"]',
  },
  { name: 'wizard', link: 'New smart playlist', path: () => '/media/wizard', content: 'button' },
  list('publications', 'Publications', '/deployments/publications'),
  {
    name: 'publication',
    list: 'publications',
    path: ({ publication }) => `/deployments/publicationsOne/${publication}`,
    content: 'dl',
  },
  { name: 'reports', link: 'Reports', path: () => '/home/reports', content: 'input' },
  { name: 'playLog', path: ({ device }) => `/security/playTrack/${device}`, content: 'h2' },
  { name: 'profile', path: () => '/pages/profile', content: 'input' },
]

/** The routes that a click in the menu or in a list opens. */
export const CLICKED_ROUTES = ROUTES.filter(({ link, list: above }) => (link ?? above) !== undefined)

export async function readItems(superuser: Pool, clientId: string): Promise<Items> {
  const first = (table: string, more = '') =>
    `(select uid from ${table} where client_id = $1 ${more} order by name limit 1)`
  const { rows } = await superuser.query<Items>(
    `select ${first('devices')} as device, ${first('groups')} as "group", ${first('playlists')} as playlist,
       ${first('publications')} as publication, ${first('media_items', "and content_type = 'melodies'")} as melody`,
    [clientId],
  )
  if (!rows[0]) throw new Error('The client has no items')
  return rows[0]
}
