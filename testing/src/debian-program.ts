import { spawnSync } from 'node:child_process'

/**
 * Installs a program that is not there. @param packages those of Debian that it needs; one of its name by default @throws Error that says what to
 * install, for users who may not
 */
export function requireProgram(program: string, ...packages: string[]): void {
  const names = packages.length === 0 ? [program] : packages
  if (spawnSync('which', [program], { stdio: 'ignore' }).status === 0) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status } = spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], {
    env,
  })
  if (status !== 0) throw new Error(`${program} is missing: sudo apt-get install -y ${names.join(' ')}`)
}
