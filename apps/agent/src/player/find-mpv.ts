import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The commands that install a package, by the program. */
const INSTALLERS = {
  'apt-get': 'sudo apt-get install mpv',
  dnf: 'sudo dnf install mpv',
  zypper: 'sudo zypper install mpv',
  pacman: 'sudo pacman -S mpv',
  apk: 'sudo apk add mpv',
  brew: 'brew install mpv',
}

function isProgram(name: string, path: string): boolean {
  return path.split(delimiter).some(folder => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return folder !== ''
    } catch {
      return false
    }
  })
}

/** Says how to get mpv; null where it is there. @param path the folders of programs, as in PATH */
export function describeMissingMpv(path: string): string | null {
  if (isProgram('mpv', path)) return null
  const [, how = 'the package mpv of your system'] =
    Object.entries(INSTALLERS).find(([installer]) => isProgram(installer, path)) ?? []
  return `mpv, which plays the sound, is missing: nothing is heard. Install it: ${how}. The agent then starts it by itself`
}
