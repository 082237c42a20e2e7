import { openBus } from '@floorcast/server/platform/bus/bus.ts'

/*
 * A separate program: as many buses as servers would have, on the database at DATABASE_URL. It prints a line when all listen, and
 * ends with its input.
 */
const url = process.env['DATABASE_URL'] ?? ''
const count = Number(process.argv[2])
let heard = 0
const lost = (error: Error) => {
  throw error
}
for (let opened = 0; opened < count; opened += 1) {
  const bus = await openBus({ url, lost })
  bus.listen('live', { heard: () => void (heard += 1), missed: () => undefined })
}
process.stdin.once('end', () => {
  console.log(heard)
  process.exit(0)
})
process.stdin.resume()
console.log('listening')
