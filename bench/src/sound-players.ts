import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endWithThisProcess } from './server-process.ts'

/** A player beside the agent, which plays the same files. */
export interface OtherPlayer {
  name: 'mpv' | 'liquidsoap'
  isThere: () => boolean
  /** Plays the files once. */
  start: (paths: readonly string[], folder: string, environment: Record<string, string>) => ChildProcess
}

const hasProgram = (program: string) => spawnSync(program, ['--version']).error === undefined

function startProgram(program: string, args: readonly string[], environment: Record<string, string>) {
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 2],
    env: { ...process.env, ...environment },
  })
  endWithThisProcess(child)
  return child
}

export const otherPlayers: readonly OtherPlayer[] = [
  {
    name: 'mpv',
    isThere: () => hasProgram('mpv'),
    start: (paths, _, environment) =>
      startProgram(
        'mpv',
        [
          '--no-config',
          '--no-terminal',
          '--ao=pulse',
          '--gapless-audio=yes',
          '--prefetch-playlist=yes',
          '--audio-samplerate=48000',
          ...paths,
        ],
        environment,
      ),
  },
  {
    name: 'liquidsoap',
    isThere: () => hasProgram('liquidsoap'),
    start: (paths, folder, environment) => {
      const script = join(folder, 'chain.liq')
      const files = paths.map(path => `single(${JSON.stringify(path)})`).join(', ')
      const lines = [
        'settings.init.allow_root.set(true)',
        'settings.frame.audio.samplerate.set(48000)',
        'settings.log.stdout.set(false)',
        `output.pulseaudio(fallible=true, sequence([${files}]))`,
      ]
      writeFileSync(script, `${lines.join('\n')}\n`)
      return startProgram('liquidsoap', [script], environment)
    },
  },
]

export async function endProgram(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  const ended = once(program, 'exit')
  program.kill('SIGTERM')
  await ended
}
