import { parseArgs } from 'node:util'

/** `npm start`: the server, or the demonstration, which runs it. The server knows nothing of the demonstration. */
const HELP = `npm start [-- --demo]

  --demo   fills an empty database with a demonstration chain and simulated devices, and prints how to sign in
  --help   prints this and ends

Settings come from the environment; .env.example describes them.
`

/** Parses the command line; ends the process for `--help` and for unknown options. */
function optionsOrExit(): { isDemo: boolean } {
  try {
    const { values } = parseArgs({ options: { demo: { type: 'boolean' }, help: { type: 'boolean' } } })
    if (!values.help) return { isDemo: values.demo ?? false }
    process.stdout.write(HELP)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`)
    process.exit(2)
  }
}

await (optionsOrExit().isDemo ? import('../apps/demo/src/main.ts') : import('../apps/server/src/main.ts'))
