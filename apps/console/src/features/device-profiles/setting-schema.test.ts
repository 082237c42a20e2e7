import { profileSettings, ProfileType } from '@floorcast/contract/device-profiles.ts'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { namedSettings, readSettings } from './setting-schema.ts'

/** The schema as the server answers it. */
const settingsOf = (type: ProfileType) => readSettings(z.toJSONSchema(profileSettings[type], { io: 'input' }))

it('reads every setting of every type, by its kind of input', () => {
  expect(Object.fromEntries(ProfileType.options.map(type => [type, settingsOf(type)]))).toEqual({
    audio: [
      { name: 'defaultVolume', input: { kind: 'number', isWhole: true, min: 0, max: 100, mayBeNull: false } },
      {
        name: 'loudnessTargetLufs',
        input: { kind: 'number', isWhole: false, min: -40, max: -5, mayBeNull: true },
      },
    ],
    network: [
      {
        name: 'heartbeatSeconds',
        input: { kind: 'number', isWhole: true, min: 10, max: 3600, mayBeNull: false },
      },
      { name: 'downloadFrom', input: { kind: 'time' } },
      { name: 'downloadTo', input: { kind: 'time' } },
      {
        name: 'downloadKilobitsPerSecond',
        input: { kind: 'number', isWhole: true, min: 64, max: 10_000_000, mayBeNull: false },
      },
    ],
    display: [
      { name: 'rotation', input: { kind: 'choice', values: [0, 90, 180, 270] } },
      { name: 'resolution', input: { kind: 'text' } },
    ],
    logging: [{ name: 'debugLog', input: { kind: 'switch' } }],
    alert: [
      { name: 'alertVolume', input: { kind: 'number', isWhole: true, min: 0, max: 100, mayBeNull: false } },
      { name: 'airMedia', input: { kind: 'sound' } },
      { name: 'chemicalMedia', input: { kind: 'sound' } },
      { name: 'nuclearMedia', input: { kind: 'sound' } },
    ],
  })
})

it('has words for every setting', () => {
  for (const type of ProfileType.options)
    expect(settingsOf(type).map(({ name }) => name)).toEqual(namedSettings[type])
})
