import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type DeviceFileType, MAX_DEVICE_FILE_BYTES } from '@floorcast/contract/device-commands.ts'
import {
  CommandFollower,
  NotFollowed,
  refuseFor,
  volumeOf,
} from '@floorcast/device-client/command-follower.ts'
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
export function followCommands(parts: CommandParts): CommandFollower {
  const { player, restart, sendFile, readLog } = parts
  return new CommandFollower({
    ...parts,
    actions: {
      // The acknowledgement goes first.
      restart: () => void setImmediate(restart),
      volume: command => player.setVolume(volumeOf(command)),
      identify: async () => refuseFor(await player.identify()),
      'send-log': ({ id }) => sendFile(id, { contentType: 'text/plain', content: Buffer.from(readLog()) }),
      screenshot: async ({ id }) => sendFile(id, await takePicture(parts)),
    },
  })
}

async function takePicture({
  dataDir,
  player,
}: CommandParts): Promise<{ contentType: 'image/jpeg'; content: Buffer }> {
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
