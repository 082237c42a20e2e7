/**
 * The texts of a language in parts that are loaded together, by the names of their files in `packages/locales/catalogues`:
 * the part of /login, that of the frame of the signed-in pages, and one for each section of the menu and for some of what opens
 * over every page. Each file is in one part, but for `demo`, `installer`, `mails` and `manual`, which the console does not need.
 */
export const wordsParts = {
  /** /login and /lock. `common` needs no prefix. */
  auth: ['common', 'auth', 'fields', 'outcomes', 'problems'],
  /** The frame of the signed-in pages, and what every page may show. */
  shell: [
    'activity',
    'bulk',
    'charts',
    'dates',
    'list',
    'publish',
    'reasons',
    'routes',
    'shell',
    'tagKeys',
    'uploads',
  ],
  /** The overview, and the player in the browser. */
  home: ['dashboard', 'streaming'],
  media: ['media', 'playlists'],
  /** The wizard, and the day of a smart playlist. */
  wizard: ['wizard'],
  equipment: ['devices', 'groups'],
  /** Publications, and the Publish sheet. */
  deployments: ['publications'],
  reports: ['reports'],
  /** Their pages, the banner and the dialogs. */
  alerts: ['alerts'],
  /** The profile, mailed links, and the pages that anyone may open. */
  account: ['account', 'links', 'proof'],
  administration: ['profiles', 'proofKeys', 'tags', 'users'],
  /** Logs, the change history, and their periods. */
  logging: ['audit', 'logs', 'period'],
  /** The command palette and the keyboard shortcuts. */
  palette: ['palette'],
  /** The page of the installation's operators. */
  operator: ['operator'],
  updates: ['updates'],
  recycle: ['recycle'],
} as const

export type WordsPart = keyof typeof wordsParts
/** A file of a catalogue that the console loads. */
export type WordsFile = (typeof wordsParts)[WordsPart][number]
