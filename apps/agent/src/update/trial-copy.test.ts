import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mountDisk } from '@floorcast/testing/small-disk.ts'
import { expect, onTestFinished, test } from 'vitest'
import { openStores } from '../open-stores.ts'
import { copyForTrial, removeTrialCopy } from './trial-copy.ts'

/** The stores of an agent that runs, with one event and one file. */
function openAgent(dataDir: string) {
  const sha256 = 'a'.repeat(64)
  mkdirSync(join(dataDir, 'media'), { recursive: true })
  writeFileSync(join(dataDir, 'media', sha256), 'a song')
  const stores = openStores(dataDir)
  onTestFinished(() => {
    stores.stopClock()
    stores.store.close()
  })
  stores.log.debug('info', 'first', 'an event')
  return { sha256, ...stores }
}

test('A trial has the events and files of an agent that runs, which keeps what the trial writes and deletes', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-trial-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const agent = openAgent(dataDir)
  const copy = copyForTrial(dataDir)
  const trial = openStores(copy)
  expect(trial.events.readUnsent(9)).toEqual(agent.events.readUnsent(9))
  expect([...trial.media.held]).toEqual([agent.sha256])
  trial.media.drop(agent.sha256)
  trial.log.debug('info', 'second', 'of the trial')
  trial.stopClock()
  trial.store.close()
  expect(existsSync(agent.media.pathOf(agent.sha256))).toBe(true)
  expect(existsSync(join(copy, 'media', agent.sha256))).toBe(false)
  expect(agent.events.readUnsent(9)).toHaveLength(1)
  removeTrialCopy(dataDir)
  expect(existsSync(copy)).toBe(false)
})

test('A disk without room for a copy is named', ({ skip }) => {
  const disk = mountDisk(60 * 1024 * 1024) ?? skip()
  const dataDir = join(disk.folder, 'data')
  openAgent(dataDir)
  expect(() => copyForTrial(dataDir)).toThrow('the disk has no room for a copy of 1 MB')
})
