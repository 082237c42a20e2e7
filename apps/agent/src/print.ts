import { existsSync } from 'node:fs'
import { cueAt } from '@floorcast/playback/cue.ts'
import { withAlerts } from '@floorcast/playback/cue-alert.ts'
import type { Cue } from '@floorcast/playback/cue-types.ts'
import { EventStore } from './store/event-store.ts'
import { makeAlertNotices } from '@floorcast/device-client/alert-notices.ts'
import { makeManifestStore } from '@floorcast/device-client/manifest-store.ts'
import { makeMediaStore } from './store/media-store.ts'
import { makeStateStore } from './store/state-store.ts'
import { foldersOf } from './store/data-folder.ts'
import { openStore } from './store/store.ts'

const CUES = 10

function openExisting(dataDir: string) {
  if (!existsSync(foldersOf(dataDir).database))
    throw new Error(`There is no agent in ${dataDir}; name its folder with --data, or start it once`)
  return openStore(dataDir)
}

/** Prints the whole event log, oldest first, one JSON line for each event. */
export function printEvents(dataDir: string, print: (line: string) => void): void {
  const store = openExisting(dataDir)
  for (const event of new EventStore(store).readAll()) print(JSON.stringify(event))
  store.close()
}

function toLine(cue: Cue): object {
  const until = new Date(cue.until).toISOString()
  if (cue.kind === 'silent') return { silent: cue.because, until }
  const name = cue.file?.name ?? 'siren'
  const startsAt = new Date(cue.startsAt).toISOString()
  if (cue.kind === 'alert') return { alert: cue.alert.kind, name, startsAt, until }
  const { because, offsetSeconds, publication, cutBy } = cue
  return { plays: name, because, publication: publication.name, startsAt, offsetSeconds, until, cutBy }
}

/** Prints the cues from now on, by the manifest and the files on the disk, one JSON line for each. */
export function printCues(dataDir: string, now: number, print: (line: string) => void): void {
  const store = openExisting(dataDir)
  const state = makeStateStore(store)
  const book = makeManifestStore(state)
  const alerts = makeAlertNotices(state, book).open()
  const manifest = (book.playing() ?? book.newest())?.manifest
  if (!manifest) throw new Error('No manifest has come yet: start the agent with --server and --key')
  const { held } = makeMediaStore(dataDir, store)
  for (let at = now, count = 0; count < CUES; count += 1) {
    const cue = cueAt(withAlerts(manifest, alerts), at, held)
    print(JSON.stringify(toLine(cue)))
    at = cue.until
  }
  store.close()
}
