import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CommandResult,
  type DeviceFileType,
  MAX_DEVICE_FILE_BYTES,
} from '@floorcast/contract/device-commands.ts'
import { type Command, CommandFollower, NotFollowed } from '@floorcast/device-client/command-follower.ts'
import type { Player } from './player/player.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import type { StateStore } from '@floorcast/device-client/state-store.ts'

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

/** Follows the commands that come on the channel. */
export class Commands {
  readonly #parts: CommandParts
  readonly #follower: CommandFollower

  constructor(parts: CommandParts) {
    this.#parts = parts
    this.#follower = new CommandFollower({ ...parts, act: command => this.#act(command) })
  }

  /** Resolves with what the server is to know of it. */
  follow(command: Command): Promise<CommandResult> {
    return this.#follower.follow(command)
  }

  async #act({ id, command, value }: Command): Promise<void> {
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
