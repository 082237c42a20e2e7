import { readdirSync } from 'node:fs'
import { cpus } from 'node:os'
import { measureStolen } from './processor-time.ts'
import { formatTable, compareWithGoals, type Bench, whyWrongOptions } from './bench-types.ts'

/** `npm run bench -- NAME [--json] …`: exits 1 when a goal is missed, 2 when there is no such bench or option. */
const names = readdirSync(import.meta.dirname)
  .map(file => /^bench-(\w+)\.ts$/.exec(file)?.[1])
  .filter(name => name !== undefined && name !== 'types')
const [name, ...args] = process.argv.slice(2)
const isJson = args.includes('--json')

function refuse(why: string): never {
  console.error(`${why}\nUsage: npm run bench -- NAME [--json], where NAME is one of: ${names.join(', ')}`)
  process.exit(2)
}

if (!names.includes(name)) refuse(name ? `There is no bench '${name}'.` : 'The name of a bench is missing.')

const { default: bench } = (await import(`./bench-${name}.ts`)) as { default: Bench }
const options = args.filter(arg => arg !== '--json')
const why = whyWrongOptions(bench, options)
if (why !== null) refuse(why)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
console.error(`${bench.what} (Node ${process.versions.node}, ${cpus().length} cores)`)
const endStolen = measureStolen()
const measured = compareWithGoals(bench, await bench.run(options))
// On a rented machine it explains a slow run.
const stolen = Number(endStolen().toFixed(3))
console.error(`The host gave ${(stolen * 100).toFixed(1)} % of the processors' time to other machines`)
const figures = measured.map(({ figure, value, unit, met }) => ({ figure, value, unit, met }))
console.log(isJson ? JSON.stringify({ bench: bench.name, stolen, figures }) : formatTable(measured))
process.exitCode = measured.some(({ met }) => met === false) ? 1 : 0
