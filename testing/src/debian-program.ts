import { spawnSync } from 'node:child_process'

/** Installs the Debian packages (with spaces between) of a program that is not there. @throws Error that says what to install, for users who may not */
export function requireProgram(program: string, name = program): void {
  if (spawnSync('which', [program], { stdio: 'ignore' }).status === 0) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status } = spawnSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...name.split(' ')],
    { env },
  )
  if (status !== 0) throw new Error(`${program} is missing: sudo apt-get install -y ${name}`)
}
