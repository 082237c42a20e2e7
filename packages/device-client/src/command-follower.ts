import {
  type CommandFailure,
  CommandKind,
  type CommandResult,
  MAX_WHY_LENGTH,
} from '@floorcast/contract/device-commands.ts'
import { z } from 'zod'
import type { PlayLog } from './play-log.ts'
import type { StateStore } from './state-store.ts'

export interface Command {
  id: string
  command: string
  value?: number | undefined
}

/** The reason for which a player does not follow a command. */
export class NotFollowed extends Error {
  constructor(why: CommandFailure) {
    super(why)
    this.name = 'NotFollowed'
  }
}

/** A player's action for each command. An action throws `NotFollowed`, or any error of a file that was not sent. */
export type CommandActions = Readonly<Record<CommandKind, (command: Command) => unknown>>

/** The volume of a command. @throws NotFollowed without one */
export function volumeOf({ value }: Command): number {
  if (value === undefined || value < 0 || value > 100) throw new NotFollowed('no-value')
  return value
}

/** @throws NotFollowed for a reason */
export function refuseFor(why: CommandFailure | null): void {
  if (why) throw new NotFollowed(why)
}

/** Follows a command, and answers what the server is to know of it. */
export async function tryCommand(actions: CommandActions, command: Command): Promise<CommandResult> {
  const kind = CommandKind.safeParse(command.command).data
  try {
    if (!kind) throw new NotFollowed('unknown-command')
    await actions[kind](command)
    return { ok: true }
  } catch (error) {
    const why = error instanceof NotFollowed ? error.message : `not-sent: ${String(error)}`
    return { ok: false, why: why.slice(0, MAX_WHY_LENGTH) }
  }
}

const Followed = z.array(z.object({ id: z.string(), ok: z.boolean(), why: z.string().optional() }).loose())
const FOLLOWED = 'followed-commands'
const MAX_FOLLOWED = 20

interface FollowerParts {
  state: Pick<StateStore, 'read' | 'write'>
  log: PlayLog
  actions: CommandActions
}

/**
 * Follows the server's commands, one after the other, each once: a command whose acknowledgement was lost comes again, also after
 * the restart that it asked for.
 */
export class CommandFollower {
  readonly #parts: FollowerParts
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: FollowerParts) {
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
    const result = await tryCommand(this.#parts.actions, { id, command, value })
    if (result.ok) log.debug('info', 'command-followed', command)
    else log.debug('warning', 'command-failed', `${command}: ${result.why ?? ''}`)
    state.write(FOLLOWED, [...followed, { id, ...result }].slice(-MAX_FOLLOWED))
    return result
  }
}
