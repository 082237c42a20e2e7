import { resolve } from 'node:path'
import { ANOTHER_RUNS, BackupRunsError } from './platform/backup/backup-format.ts'

/* What the operator's commands share: arguments, lines, exit codes. */

/** The exit code for wrong arguments, as of most programs. */
const USAGE = 2

/** The arguments are wrong: the help is printed too. */
class UsageError extends Error {}

/** Writes a line for the operator. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Paths are of where the command was typed; npm itself runs in the project's folder. */
export const pathOf = (name: string): string => resolve(process.env['INIT_CWD'] ?? process.cwd(), name)

function readOrRefuse<Command>(read: (args: string[]) => Command, args: string[]): Command {
  try {
    return read(args)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function codeOf(error: unknown): number {
  if (error instanceof UsageError) return USAGE
  return error instanceof BackupRunsError ? ANOTHER_RUNS : 1
}

/** Runs the command of the program's arguments, or prints its help. A failure is its message and the exit code. */
export async function runCommandLine<Command>(
  help: string,
  read: (args: string[]) => Command,
  run: (command: Command) => Promise<void>,
): Promise<void> {
  const args = process.argv.slice(2)
  if (args[0] === '--help') return say(help.trimEnd())
  try {
    await run(readOrRefuse(read, args))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    if (error instanceof UsageError) process.stderr.write(`\n${help}`)
    process.exitCode = codeOf(error)
  }
}
