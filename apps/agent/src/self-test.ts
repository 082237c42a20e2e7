import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { offsetAt } from '@floorcast/playback/zone.ts'
import { openStores } from './open-stores.ts'
import { lockFolder, restrictFolder } from './store/data-folder.ts'
import { signedTextOf } from '@floorcast/contract/update-signing.ts'
import { SELF_TEST_PASSED } from './update/install-program.ts'
import { isSignedBy } from './update/update-signatures.ts'

function claim(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`The self-test failed on Node ${process.versions.node}: ${what}`)
}

/** A signature of RFC 8032's key of test 1, over the text of a file whose hash is 64 zeros. */
const SIGNED = {
  key: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
  signature: 'wkG08ItrPDRmrrmtzfoE9NrNCVFpsbGe5UBFd27xQY52eJVk6exdSh8gynxyYmAD89Aytwu5eoXNCCh22VA0Dg==',
}

/** Writes, reads and corrects, as a start of the agent does. */
function tryStores(dataDir: string, id: string): void {
  const { store, state, clock, stopClock, events, log, media } = openStores(dataDir)
  try {
    state.write('try-1', { at: clock.now() })
    claim(state.names('try-').join() === 'try-1', 'the names of the state')
    state.atomically(() => state.remove('try-1'))
    log.recoverInterrupted()
    log.debug('info', 'self-test', 'an event')
    log.shiftDates(1000)
    events.append({ kind: 'debug', level: 'info', code: id, message: '', at: new Date(0).toISOString() })
    const [first] = events.readUnsent(1)
    events.markSent(first ? [first] : [], { accepted: 1, duplicates: 0, refused: new Map() }, clock.now())
    claim(events.readUnsent(9).length === 1, 'the event log')
    claim(media.freeBytes() > 0 && media.quarantine.list().length === 0, 'the media folder')
    // A statement that fails must not leave its transaction open.
    store.write('try', 'insert into event (id) values (?)', 'incomplete')
    store.forget('try')
    store.write('try-2', 'insert into state (name, value) values (?, ?)', 'try-2', '2')
    claim(!store.isWaiting('try-2'), 'a transaction after a failed one')
  } finally {
    stopClock()
    store.close()
  }
}

/**
 * Tries on this machine what a start of the agent needs of Node, in a folder of its own: the installer and the install command
 * run a new bundle so, before they change anything. @throws Error if something fails
 */
export function runSelfTest(): void {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-self-test-'))
  const dataDir = join(folder, 'data')
  const id = randomUUID()
  try {
    restrictFolder(dataDir)
    lockFolder(dataDir)
    tryStores(dataDir, id)
    const { store, stopClock, events } = openStores(dataDir)
    claim(JSON.stringify([...events.readAll()]).includes(id), 'events after a restart')
    stopClock()
    store.close()
    claim(offsetAt('Europe/Kyiv', Date.UTC(2026, 6, 1)) === 3 * 3_600_000, 'the rules of time zones')
    claim(isSignedBy(SIGNED.key, signedTextOf('0'.repeat(64)), SIGNED.signature), 'Ed25519 signatures')
    AbortSignal.any([AbortSignal.timeout(1), new AbortController().signal])
    claim(typeof fetch === 'function' && typeof Promise.withResolvers === 'function', 'its globals')
    process.stdout.write(`${SELF_TEST_PASSED} on Node ${process.versions.node}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
