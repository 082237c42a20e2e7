import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import { existsSync } from 'node:fs'
import { getLogoUrl } from './logo.ts'

/** How a screen hangs and what it shows beside videos. */
export interface DisplaySettings {
  /** Degrees clockwise. */
  rotation: number
  /** Pixels as 1920x1080; null: as the screen is set. */
  resolution: string | null
  /** The picture where no video plays, as mpv reads it; null: the player's window is open only while a video plays. */
  picture: string | null
}

export const defaultDisplay: DisplaySettings = { rotation: 0, resolution: null, picture: null }

/** The display of a device. The screen of one that plays music has other uses. */
export function displayOf(
  { settings, device }: Pick<DeviceManifest, 'settings' | 'device'>,
  ownPicture: string | null = null,
): DisplaySettings {
  const { rotation = 0, resolution = null } = settings
  return { rotation, resolution, picture: device.kind === 'video' ? (ownPicture ?? getLogoUrl()) : null }
}

export const hasDesktop = () => Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'])

/** mpv's video outputs, best first. `null` discards the picture where there is no screen. */
function videoOutputs(): string {
  if (hasDesktop()) return 'gpu,x11,null'
  return existsSync('/dev/dri/card0') ? 'gpu,drm,null' : 'null'
}

/**
 * mpv's properties of a display, which can change while it plays. A desktop keeps its resolution: the picture fills a window of
 * the display's pixels at its upper left corner. Between files mpv keeps a window that shows pictures.
 */
export const displayProperties = (
  { rotation, resolution, picture }: DisplaySettings,
  hasScreen: boolean,
): [string, unknown][] => [
  ...(hasDesktop()
    ? ([
        ['fullscreen', resolution === null],
        ['border', resolution === null],
        ['geometry', resolution === null ? '' : `${resolution}+0+0`],
      ] satisfies [string, unknown][])
    : []),
  ['video-rotate', rotation],
  ['vid', hasScreen ? 'auto' : 'no'],
  ['audio-display', picture === null ? 'no' : 'external-first'],
  // Last: it opens the window.
  ['force-window', hasScreen && picture !== null],
]

/** mpv opens a window with the first picture, or takes the screen, whose mode it sets when it starts. */
export function videoArguments({ resolution }: DisplaySettings): string[] {
  return [
    `--vo=${videoOutputs()}`,
    ...(resolution === null || hasDesktop() ? [] : [`--drm-mode=${resolution}`]),
    ...(hasDesktop() ? [] : ['--fullscreen']),
    '--image-display-duration=inf',
    '--cover-art-auto=no',
    '--cursor-autohide=always',
    '--osc=no',
    '--osd-level=0',
  ]
}
