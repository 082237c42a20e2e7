import type { CommandFailure } from '@floorcast/contract/device-commands.ts'
import { type Command, NotFollowed } from '@floorcast/device-client/command-follower.ts'

interface PageActions {
  restart: () => void
  setVolume: (volume: number) => void
  /** Sounds the bell over the programme. Resolves to why it was not heard, or null. */
  identify: () => Promise<CommandFailure | null>
}

/** What a page can do for the server's commands. It has no log of its machine, and does not take pictures of a screen. */
export const followOnPage =
  ({ restart, setVolume, identify }: PageActions) =>
  async ({ command, value }: Command): Promise<void> => {
    if (command === 'restart') return restart()
    if (command === 'volume') {
      if (value === undefined || value < 0 || value > 100) throw new NotFollowed('no-value')
      return setVolume(value)
    }
    if (command === 'identify') {
      const why = await identify()
      if (why) throw new NotFollowed(why)
      return
    }
    throw new NotFollowed(command === 'screenshot' || command === 'send-log' ? 'browser' : 'unknown-command')
  }
