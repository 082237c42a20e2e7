import { spawn } from 'node:child_process'

/** `npm run dev`: the server, restarted when its sources change, beside Vite's own server, which passes calls on to it. */
const programs = [
  spawn(process.execPath, ['--watch', 'tools/start.ts', ...process.argv.slice(2)], {
    stdio: 'inherit',
  }),
  spawn('vite', ['apps/console', '--config', 'apps/console/vite.config.ts'], { stdio: 'inherit' }),
]

for (const program of programs)
  program.on('exit', code => {
    process.exitCode ??= code ?? 1
    for (const other of programs) other.kill('SIGTERM')
  })
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => programs.forEach(program => program.kill(signal)))
