import { afterEach, expect, test, vi } from 'vitest'
import { displayProperties, videoArguments } from './display.ts'

afterEach(() => vi.unstubAllEnvs())

test('On a desktop the picture fills a window of the profile’s pixels, at once', () => {
  vi.stubEnv('DISPLAY', ':7')
  expect(videoArguments()).toContain('--fullscreen')
  const display = { rotation: 270, resolution: '1280x720' }
  expect(videoArguments(display)).toEqual(
    expect.arrayContaining(['--video-rotate=270', '--no-border', '--geometry=1280x720+0+0']),
  )
  expect(videoArguments(display)).not.toContain('--fullscreen')
  expect(Object.fromEntries(displayProperties(display))).toEqual({
    'video-rotate': 270,
    fullscreen: false,
    border: false,
    geometry: '1280x720+0+0',
  })
  expect(Object.fromEntries(displayProperties({}))).toMatchObject({ 'video-rotate': 0, fullscreen: true })
})

test('Without a desktop mpv sets the mode of the screen', () => {
  vi.stubEnv('DISPLAY', undefined)
  vi.stubEnv('WAYLAND_DISPLAY', undefined)
  expect(videoArguments({ resolution: '1280x720' })).toEqual(
    expect.arrayContaining(['--fullscreen', '--drm-mode=1280x720']),
  )
})
