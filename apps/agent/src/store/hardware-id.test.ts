import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { readHardwareId } from './hardware-id.ts'
import type { StateStore } from '@floorcast/device-client/state-store.ts'

/** The files of a machine. */
function makeMachine(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'floorcast-machine-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

/** A network card on a bus of the machine. */
function addCard(root: string, name: string, { bus, mac }: { bus: string; mac: string }): void {
  const [card, device] = [join(root, 'sys/class/net', name), join(root, 'devices', bus, name)]
  for (const folder of [card, device]) mkdirSync(folder, { recursive: true })
  symlinkSync(device, join(card, 'device'))
  writeFileSync(join(card, 'addr_assign_type'), '0\n')
  writeFileSync(join(card, 'address'), `${mac}\n`)
}

/** The state of a new data folder. */
function newState(): StateStore {
  const values = new Map<string, unknown>()
  return {
    atomically: work => work(),
    read: name => values.get(name) ?? null,
    write: (name, value) => values.set(name, value).size > 0,
    remove: name => void values.delete(name),
    names: () => [],
  }
}

test('A machine that lost its data folder has the same uid, whatever dongle it has; another machine has another', () => {
  const machineId = 'etc/machine-id'
  const root = makeMachine({ [machineId]: `${'a1'.repeat(16)}\n` })
  addCard(root, 'enp1s0', { bus: 'pci0', mac: 'b8:27:eb:00:00:01' })
  const first = readHardwareId(newState(), root)
  addCard(root, 'eno0', { bus: 'usb1', mac: '00:00:00:00:00:09' })
  expect(readHardwareId(newState(), root)).toBe(first)
  expect(z.uuid().safeParse(first).success).toBe(true)
  const copied = makeMachine({ [machineId]: `${'a1'.repeat(16)}\n` })
  addCard(copied, 'enp1s0', { bus: 'pci0', mac: 'b8:27:eb:00:00:02' })
  expect(readHardwareId(newState(), copied)).not.toBe(first)
})

test('The uid on the disk stays, and a machine that names nothing gets a random one', () => {
  const state = newState()
  const nameless = makeMachine({ 'etc/machine-id': 'uninitialized\n' })
  const first = readHardwareId(state, nameless)
  expect(readHardwareId(state, makeMachine({ 'etc/machine-id': 'b'.repeat(32) }))).toBe(first)
  expect(readHardwareId(newState(), nameless)).not.toBe(first)
})
