import {
  type CommandResult,
  type DeviceFileType,
  sendDeviceFile,
} from '@floorcast/contract/device-commands.ts'
import { release } from '@floorcast/contract/release.ts'
import { type Command, refuseFor, tryCommand, volumeOf } from '@floorcast/device-client/command-follower.ts'
import type { DeviceSession } from '@floorcast/device-client/session.ts'

/** A grey pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='

/**
 * Follows a command as far as a device without sound and screen can: a video device shows a grey pixel. A restart would only lose the
 * memory.
 */
export function followCommand(
  command: Command,
  session: Pick<DeviceSession, 'call' | 'playPointUid'>,
  { kind, setVolume }: { kind: 'audio' | 'video'; setVolume: (volume: number) => void },
): Promise<CommandResult> {
  const send = (contentType: DeviceFileType, content: string) => {
    const params = { playpointid: session.playPointUid ?? '', id: command.id }
    return session.call(sendDeviceFile, { params, body: { contentType, content } })
  }
  const done = () => undefined
  return tryCommand(
    {
      restart: done,
      volume: each => setVolume(volumeOf(each)),
      identify: () => refuseFor('no-sound'),
      screenshot: () => (kind === 'audio' ? refuseFor('no-picture') : send('image/png', PICTURE)),
      'send-log': () => send('text/plain', Buffer.from(`fleet ${release.version}\n`).toString('base64')),
    },
    command,
  )
}
