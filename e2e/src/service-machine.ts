import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { mountDisk } from '@floorcast/testing/small-disk.ts'
import { waitUntil } from './processes.ts'

/*
 * A real systemd in a container made from this machine. Needs root and the Debian package systemd-container.
 */

const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'ignore' })

/** A machine with this one's programs, of which it keeps its own changes. It shares this one's network. */
class Machine {
  readonly #root: string
  /** systemd, by the pid that it has on this machine; null while it is off. */
  #pid: number | null = null
  #ended: Promise<unknown> = Promise.resolve()

  constructor(root: string) {
    this.#root = root
    copyFileSync(process.execPath, this.pathOf('/usr/local/bin/node'))
    writeFileSync(this.pathOf('/etc/machine-id'), '')
  }

  pathOf(path: string): string {
    return join(this.#root, path)
  }

  /** Resolves when its services are started. */
  async start(): Promise<void> {
    const args = ['--directory', this.#root, '--machine', `shop-${Date.now()}`, '--boot', '--console=pipe']
    const container = spawn('systemd-nspawn', [...args, '--register=no', '--keep-unit'], { stdio: 'ignore' })
    this.#ended = once(container, 'exit')
    await waitUntil('systemd has started', async () => {
      const children = readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8')
      this.#pid = Number(children.split(' ')[0]) || null
      return /running|degraded/.test(this.run('systemctl is-system-running || true'))
    })
  }

  /** Returns the output of a shell command in it. */
  run(command: string): string {
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' }
    const args = ['--target', `${this.#pid}`, '--all', 'sh', '-c', command]
    return execFileSync('nsenter', args, { env, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' })
  }

  /** Resolves when no process of it is left. */
  async cutPower(): Promise<void> {
    if (this.#pid !== null) process.kill(this.#pid, 'SIGKILL')
    this.#pid = null
    await this.#ended
  }
}

/** A machine that keeps changes of so many bytes, made in `beforeAll`. Null where this user may not make one, or systemd-nspawn is missing. */
export function makeMachine(bytes: number): Machine | null {
  const changes = mountDisk(bytes)
  if (!changes) return null
  const inChanges = (name: string) => join(changes.folder, name)
  const [upper, work, root] = [inChanges('upper'), inChanges('work'), inChanges('root')]
  for (const folder of [upper, work, root]) mkdirSync(folder)
  try {
    run('systemd-nspawn', '--version')
    run('mount', '-t', 'overlay', 'overlay', '-o', `lowerdir=/,upperdir=${upper},workdir=${work}`, root)
  } catch {
    return null
  }
  const made = new Machine(root)
  atTheEnd(async () => {
    await made.cutPower()
    run('umount', '-l', root)
  })
  return made
}
