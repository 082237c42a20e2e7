import { execFileSync, spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { atTheEnd, requireTests } from './at-the-end.ts'

/** A disk that is mounted by a test or its `beforeAll`, and unmounted at the end of the file. */
export interface SmallDisk {
  folder: string
  freeBytes: () => number
  /** Another program of the machine fills the disk with a growing file of this name, until `leftBytes` are free. */
  fill: (name: string, leftBytes: number) => void
  /** Deletes a file that filled it. */
  free: (name: string) => void
}

export interface FailingDisk extends SmallDisk {
  fail: () => void
  mend: () => Promise<void>
}

const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'ignore' })

function makeDisk(folder: string): SmallDisk {
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }
  return {
    folder,
    freeBytes,
    free: name => rmSync(join(folder, name), { force: true }),
    fill(name, leftBytes) {
      const file = openSync(join(folder, name), 'a')
      try {
        for (const size of [1_048_576, 4096])
          try {
            while (freeBytes() >= leftBytes + size) if (writeSync(file, Buffer.alloc(size)) < size) break
          } catch {
            // It is full.
          }
      } finally {
        closeSync(file)
      }
    },
  }
}

/** Mounts a disk in memory; null where this user may not mount one. */
export function mountDisk(bytes: number): SmallDisk | null {
  requireTests()
  const folder = mkdtempSync(join(tmpdir(), 'floorcast disk '))
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder)
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
  atTheEnd(async () => {
    run('umount', '-l', folder)
    rmSync(folder, { recursive: true })
  })
  return makeDisk(folder)
}

/**
 * Mounts a disk that can fail: `fail` makes the system find an error in it, after which it takes no writes, also from programs
 * that have files open. `mend` waits until no program has a file of it open (the mpv of a killed agent ends shortly after it), then
 * checks and mounts it again. Null where this user may not.
 */
export function mountFailingDisk(bytes: number): FailingDisk | null {
  requireTests()
  const folder = mkdtempSync(join(tmpdir(), 'floorcast disk '))
  const image = `${folder}.img`
  const clear = () => {
    rmSync(folder, { recursive: true })
    rmSync(image)
  }
  const listed = () => readdirSync('/sys/fs/ext4')
  let trigger = ''
  const mount = () => {
    const former = listed()
    run('mount', '-o', 'loop,errors=remount-ro', image, folder)
    const name = listed().find(each => !former.includes(each)) ?? ''
    trigger = join('/sys/fs/ext4', name, 'trigger_fs_error')
    closeSync(openSync(trigger, 'w'))
  }
  try {
    writeFileSync(image, '')
    truncateSync(image, bytes)
    run('mkfs.ext4', '-q', image)
    mount()
  } catch {
    try {
      run('umount', '-l', folder)
    } catch {
      // It was not mounted.
    }
    clear()
    return null
  }
  atTheEnd(async () => {
    run('umount', '-l', folder)
    clear()
  })
  const mend = async () => {
    await vi.waitFor(() => run('umount', folder), { timeout: 30_000, interval: 100 })
    spawnSync('e2fsck', ['-f', '-y', image])
    mount()
  }
  return { ...makeDisk(folder), fail: () => writeFileSync(trigger, '1'), mend }
}
