import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { atTheEnd } from './at-the-end.ts'

async function untilItListens(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1, await pause(50)) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
  }
  throw new Error('The proxy does not listen')
}

export interface ProxyProcess {
  program: string
  args: string[]
  /** What it writes into, and removes at the end. */
  folder: string
  port: number
  environment?: NodeJS.ProcessEnv
}

export interface RunningProxy {
  /** Ends it without warning. */
  kill: () => Promise<void>
  start: () => Promise<void>
}

/** Runs a proxy in the foreground until the end of the file's tests. */
export async function runProxy({
  program,
  args,
  folder,
  port,
  environment = {},
}: ProxyProcess): Promise<RunningProxy> {
  let child: ChildProcess | null = null
  const start = async () => {
    child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...environment } })
    await untilItListens(port)
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  atTheEnd(async () => {
    await end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })
  await start()
  return { start, kill: () => end('SIGKILL') }
}
