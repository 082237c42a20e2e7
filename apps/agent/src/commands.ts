import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CommandFailure,
  type CommandResult,
  type DeviceFileType,
  MAX_DEVICE_FILE_BYTES,
  MAX_WHY_LENGTH,
} from '@floorcast/contract/device-commands.ts'
import { z } from 'zod'
import type { Player } from './player/player.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import type { StateStore } from '@floorcast/device-client/state-store.ts'

export interface Command {
  id: string
  command: string
  value?: number | undefined
}

interface CommandParts {
  dataDir: string
  state: StateStore
  log: PlayLog
  player: Player
  /** Sends the file that a command asks for. @throws if the server does not take it */
  sendFile: (commandUid: string, file: { contentType: DeviceFileType; content: Buffer }) => Promise<void>
  /** The newest of the log, which has no secrets. */
  readLog: () => string
  restart: () => void
}

const Followed = z.array(z.object({ id: z.string(), ok: z.boolean(), why: z.string().optional() }).loose())
const FOLLOWED = 'followed-commands'
const MAX_FOLLOWED = 20

class NotFollowed extends Error {
  constructor(why: CommandFailure) {
    super(why)
    this.name = 'NotFollowed'
  }
}

/**
 * Follows the server's commands, one after the other, each once: a command whose acknowledgement was lost comes again, also after
 * the restart that it asked for.
 */
export class Commands {
  readonly #parts: CommandParts
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: CommandParts) {
    this.#parts = parts
  }

  /** Resolves with what the server is to know of it. */
  follow(command: Command): Promise<CommandResult> {
    const result = this.#last.then(() => this.#followOnce(command))
    this.#last = result.catch(() => undefined)
    return result
  }

  async #followOnce({ id, command, value }: Command): Promise<CommandResult> {
    const { state, log } = this.#parts
    const followed = Followed.safeParse(state.read(FOLLOWED)).data ?? []
    const known = followed.find(each => each.id === id)
    if (known) return known.why === undefined ? { ok: known.ok } : { ok: known.ok, why: known.why }
    const result = await this.#try({ id, command, value })
    if (result.ok) log.debug('info', 'command-followed', command)
    else log.debug('warning', 'command-failed', `${command}: ${result.why ?? ''}`)
    state.write(FOLLOWED, [...followed, { id, ...result }].slice(-MAX_FOLLOWED))
    return result
  }

  async #try(command: Command): Promise<CommandResult> {
    try {
      await this.#do(command)
      return { ok: true }
    } catch (error) {
      const why = error instanceof NotFollowed ? error.message : `not-sent: ${String(error)}`
      return { ok: false, why: why.slice(0, MAX_WHY_LENGTH) }
    }
  }

  async #do({ id, command, value }: Command): Promise<void> {
    const { player, restart, sendFile, readLog } = this.#parts
    // The acknowledgement goes first.
    if (command === 'restart') return void setImmediate(restart)
    if (command === 'volume') {
      if (value === undefined || value < 0 || value > 100) throw new NotFollowed('no-value')
      return player.setVolume(value)
    }
    if (command === 'identify') {
      const why = await player.identify()
      if (why) throw new NotFollowed(why)
      return
    }
    if (command === 'send-log')
      return sendFile(id, { contentType: 'text/plain', content: Buffer.from(readLog()) })
    if (command === 'screenshot') return sendFile(id, await this.#takePicture())
    throw new NotFollowed('unknown-command')
  }

  async #takePicture(): Promise<{ contentType: 'image/jpeg'; content: Buffer }> {
    const { dataDir, player } = this.#parts
    const path = join(dataDir, 'screenshot.jpg')
    try {
      if (!(await player.takePicture(path))) throw new NotFollowed('no-picture')
      const content = await readFile(path)
      if (content.length > MAX_DEVICE_FILE_BYTES) throw new Error(`the picture has ${content.length} bytes`)
      return { contentType: 'image/jpeg', content }
    } finally {
      await rm(path, { force: true }).catch(() => undefined)
    }
  }
}
