import type { LogEntry } from '@floorcast/contract/logs.ts'
import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { logColumns } from './log-columns.tsx'

const t = ((key: string, slots?: { text: string; note: string }) =>
  slots ? `${slots.text} (${slots.note})` : `<${key}>`) as unknown as Translate
const empty = Object.fromEntries(
  ['playlist', 'track', 'type', 'description', 'class', 'comment', 'version', 'channel'].map(field => [
    field,
    null,
  ]),
) as unknown as LogEntry

/** The text of a column of a log, without its marks. */
function shown(kind: 'debug' | 'playlist' | 'playtrack', field: keyof LogEntry, value: string): string {
  const columns = logColumns({ t, format: { zone: 'UTC' } as Format }, kind)
  const cell = columns.find(({ id }) => id === field)?.cell({ ...empty, [field]: value })
  const html = renderToStaticMarkup(<MantineProvider env="test">{cell}</MantineProvider>)
  return html
    .replaceAll(/<style[^]*?<\/style>|<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
}

it.each([
  'closed',
  'ads',
  'empty',
  'melodies',
  'videos',
  'alert',
  'clock',
  'schedule',
  'clock-doubted',
  'file-damaged',
])('shows a track and a playlist called %s as they are', name => {
  expect(shown('playtrack', 'track', name)).toBe(name)
  expect(shown('playlist', 'playlist', name)).toBe(name)
})

it.each([
  ['playtrack', 'description', 'alert', '<logs:why.alert>'],
  ['playlist', 'description', 'starting', '<activity:silentReasons.starting>'],
  ['playlist', 'type', 'playlist', '<logs:kinds.playlist>'],
  ['playtrack', 'type', 'videosAds', '<routes:videoAd>'],
  ['debug', 'class', 'player-died', '<logs:codes.player-died> (player-died)'],
  ['debug', 'class', 'of-a-later-version', 'of-a-later-version'],
  ['debug', 'description', 'mpv died; started again after 500 ms', 'mpv died; started again after 500 ms'],
  ['debug', 'comment', 'clock-doubted', '<logs:clockDoubted>'],
] as const)('%s: the %s %s is %s', (...[kind, field, value, words]) => {
  expect(shown(kind, field, value)).toBe(words)
})
