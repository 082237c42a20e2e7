import type { DeviceSettings } from '@floorcast/contract/manifest.ts'
import { existsSync } from 'node:fs'

/** How the screen hangs, in degrees clockwise, and its pixels as 1920x1080; absent: as the screen is set. */
export type DisplaySettings = Pick<DeviceSettings, 'rotation' | 'resolution'>

const hasWindows = () => Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'])

/** mpv's video outputs, best first. `null` discards the picture where there is no screen. */
function videoOutputs(): string {
  if (hasWindows()) return 'gpu,x11,null'
  return existsSync('/dev/dri/card0') ? 'gpu,drm,null' : 'null'
}

/**
 * mpv's properties of a display, which can change while it plays. A desktop keeps its resolution: the picture fills a window of these
 * pixels at its upper left corner. Without a desktop mpv sets the screen's mode when it starts.
 */
export const displayProperties = ({ rotation = 0, resolution }: DisplaySettings): [string, unknown][] => [
  ['video-rotate', rotation],
  ...(hasWindows()
    ? ([
        ['fullscreen', resolution === undefined],
        ['border', resolution === undefined],
        ['geometry', resolution === undefined ? '' : `${resolution}+0+0`],
      ] satisfies [string, unknown][])
    : []),
]

/** mpv opens a window with the first video, or takes the screen. */
export function videoArguments({ rotation = 0, resolution }: DisplaySettings = {}): string[] {
  const size = resolution === undefined ? [] : windowOrMode(resolution)
  return [
    `--vo=${videoOutputs()}`,
    ...(resolution === undefined || !hasWindows() ? ['--fullscreen'] : []),
    `--video-rotate=${rotation}`,
    ...size,
    '--cursor-autohide=always',
    '--osc=no',
    '--osd-level=0',
  ]
}

const windowOrMode = (resolution: string): string[] =>
  hasWindows() ? ['--no-border', `--geometry=${resolution}+0+0`] : [`--drm-mode=${resolution}`]
