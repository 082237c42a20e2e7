import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Makes a program `mpv` in a new folder: an audio output that only one program at a time can open. Returns the folder, for PATH. A real one
 * needs a sound card.
 */
export function makeExclusiveMpv(folder: string): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const program = fileURLToPath(new URL('exclusive-mpv-program.ts', import.meta.url))
  writeFileSync(
    join(bin, 'mpv'),
    `#!/bin/sh\nexec '${process.execPath}' '${program}' '${join(folder, 'output')}'\n`,
  )
  chmodSync(join(bin, 'mpv'), 0o755)
  return bin
}
