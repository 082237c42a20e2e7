import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findChromium, hasPreferredChromium } from '@floorcast/testing/browser.ts'
import { findPython } from '@floorcast/testing/python.ts'
import { hasVirtualScreens } from '@floorcast/testing/virtual-screen.ts'

const isOnPath = (program: string) =>
  (process.env['PATH'] ?? '').split(delimiter).some(folder => existsSync(join(folder, program)))

function hasChromium(): boolean {
  try {
    return findChromium() !== ''
  } catch {
    return false
  }
}

/** Programs that the tests need beside Node, by their Debian packages. */
const needs: Record<string, () => boolean> = {
  chromium: hasChromium,
  mpv: () => isOnPath('mpv'),
  ffmpeg: () => isOnPath('ffmpeg') && isOnPath('ffprobe'),
  // The install command of the agent downloads with it.
  curl: () => isOnPath('curl'),
  // These two read the files of reports.
  'poppler-utils': () => isOnPath('pdftotext'),
  'python3-openpyxl': () =>
    spawnSync(findPython(), ['-c', 'import openpyxl'], { stdio: 'ignore' }).status === 0,
  xvfb: hasVirtualScreens,
}

/** Without these some tests are skipped: only X servers on Linux have screens without a monitor. */
const optional = new Set(['xvfb'])

/** Programs that are installed where they can be; the tests run without them. Any Chromium will do, and the headless shell is faster. */
const preferred: Record<string, () => boolean> = { chromium: hasPreferredChromium }

const findMissing = () => Object.keys(needs).filter(name => !needs[name]?.())

/** Installs packages as root on Debian and similar systems; else prints what to install. */
function installWithApt(packages: string[]) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) => spawnSync('apt-get', args, { env, stdio: ['ignore', 2, 2] }).status === 0
  if (!apt('update', '-qq')) return
  const shell = 'chromium-headless-shell'
  const hasShell = spawnSync('apt-cache', ['show', shell], { stdio: 'ignore' }).status === 0
  const named = packages.map(name => (name === 'chromium' && hasShell ? shell : name))
  apt('install', '-y', '-qq', '--no-install-recommends', ...named)
}

const mayInstall = process.getuid?.() === 0 && isOnPath('apt-get')
const missing = Object.keys(needs).filter(
  name => !needs[name]?.() || (mayInstall && preferred[name]?.() === false),
)
if (missing.length > 0) {
  if (mayInstall) {
    console.error(`The tests need ${missing.join(', ')}: installing …`)
    installWithApt(missing)
  }
  const still = findMissing().filter(name => !optional.has(name))
  const left = findMissing().filter(name => optional.has(name))
  if (left.length > 0) console.error(`Tests that need ${left.join(', ')} are skipped.`)
  if (still.length > 0) {
    const names = still.join(' ')
    console.error(`\nThe tests need ${names}, which this machine does not have. Install it:
  Debian, Ubuntu:  sudo apt-get update && sudo apt-get install -y ${names}
  macOS:           brew install ${names}
A Chromium at another place is found through CHROMIUM_PATH.`)
    process.exit(1)
  }
}
