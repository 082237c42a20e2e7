import { defaultSettings } from '@floorcast/contract/manifest.ts'
import { makeManifest } from '@floorcast/testing/manifest-arbitrary.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { defaultDisplay, displayOf, displayProperties, videoArguments } from './display.ts'

afterEach(() => vi.unstubAllEnvs())

test('On a desktop the picture fills a window of the profile’s pixels, at once', () => {
  vi.stubEnv('DISPLAY', ':7')
  const display = { ...defaultDisplay, rotation: 270, resolution: '1280x720' }
  expect(Object.fromEntries(displayProperties(display, true))).toMatchObject({
    'video-rotate': 270,
    fullscreen: false,
    border: false,
    geometry: '1280x720+0+0',
  })
  const properties = Object.fromEntries(displayProperties(defaultDisplay, true))
  expect(properties).toMatchObject({ 'video-rotate': 0, fullscreen: true, vid: 'auto' })
  expect(videoArguments(display)).not.toContain('--fullscreen')
})

test('Without a desktop mpv sets the mode of the screen', () => {
  vi.stubEnv('DISPLAY', undefined)
  vi.stubEnv('WAYLAND_DISPLAY', undefined)
  expect(videoArguments({ ...defaultDisplay, resolution: '1280x720' })).toEqual(
    expect.arrayContaining(['--fullscreen', '--drm-mode=1280x720']),
  )
})

test('Only a video device has a picture where no video plays: its own one, or the logo', () => {
  const pictureOf = (kind: 'audio' | 'video', ownPicture?: string) =>
    displayOf(makeManifest({ device: { kind }, settings: defaultSettings }), ownPicture).picture
  expect(pictureOf('audio', '/srv/shop.png')).toBeNull()
  expect(pictureOf('video', '/srv/shop.png')).toBe('/srv/shop.png')
  expect(pictureOf('video')).toMatch(/^hex:\/\/89504e47/)
})

test('Of two players one has the screen', () => {
  const properties = Object.fromEntries(displayProperties({ ...defaultDisplay, picture: '/shop.png' }, false))
  expect(properties).toMatchObject({ vid: 'no', 'force-window': false })
})
