import {
  type CommandFailure,
  CommandKind,
  type CommandResult,
  type DeviceFileType,
  sendDeviceFile,
} from '@floorcast/contract/device-commands.ts'
import { release } from '@floorcast/contract/release.ts'
import type { DeviceSession } from '@floorcast/device-client/session.ts'

/** A grey pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='

const failed = (why: CommandFailure): CommandResult => ({ ok: false, why })

/**
 * Follows a command as far as a device without sound and screen can: a video device shows a grey pixel. A volume is in the manifest, which
 * follows, and a restart would only lose the memory.
 */
export async function followCommand(
  { id, command }: { id: string; command: string },
  session: Pick<DeviceSession, 'call' | 'playPointUid'>,
  kind: 'audio' | 'video',
): Promise<CommandResult> {
  const known = CommandKind.safeParse(command).data
  if (!known) return failed('unknown-command')
  const send = async (contentType: DeviceFileType, content: string) => {
    const params = { playpointid: session.playPointUid ?? '', id }
    await session.call(sendDeviceFile, { params, body: { contentType, content } })
  }
  try {
    if (known === 'screenshot' && kind === 'audio') return failed('no-picture')
    if (known === 'screenshot') await send('image/png', PICTURE)
    if (known === 'send-log')
      await send('text/plain', Buffer.from(`fleet ${release.version}\n`).toString('base64'))
    return { ok: true }
  } catch {
    return failed('not-sent')
  }
}
