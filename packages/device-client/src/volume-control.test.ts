import { expect, test } from 'vitest'
import { VolumeControl } from './volume-control.ts'

function makeVolume(saved = new Map<string, unknown>()) {
  const applied: number[] = []
  const state = {
    read: (name: string) => saved.get(name) ?? null,
    write: (name: string, value: unknown) => (saved.set(name, value), true),
    remove: (name: string) => void saved.delete(name),
  }
  const volume = new VolumeControl(state, level => {
    applied.push(level)
    return Promise.resolve()
  })
  return { volume, applied, saved }
}

test('A command sets the volume until another manifest, also after a restart', () => {
  const { volume, applied, saved } = makeVolume()
  volume.followManifest(70, 5)
  volume.followCommand(20)
  volume.followManifest(70, 5)
  expect(applied).toEqual([70, 20])
  const restarted = makeVolume(saved)
  restarted.volume.followManifest(70, 5)
  expect(restarted.applied).toEqual([20])
  restarted.volume.followManifest(40, 6)
  restarted.volume.followManifest(60, 5)
  expect(restarted.applied).toEqual([20, 40, 60])
})

test('Under the bell the programme is a quarter as loud, and goes on as it was, or as it has become', async () => {
  const { volume, applied } = makeVolume()
  volume.followManifest(80, 1)
  await volume.duckFor(() => Promise.resolve())
  await volume
    .duckFor(() => {
      volume.followCommand(40)
      return Promise.reject(new Error('no sound'))
    })
    .catch(() => undefined)
  expect(applied).toEqual([80, 20, 80, 20, 10, 40])
  expect(volume.volume).toBe(40)
})
