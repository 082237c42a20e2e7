import { expect, it } from 'vitest'
import { PartSize } from './part-size.ts'

const MIB = 1024 * 1024

/** The sizes in MiB of the parts that are sent, where a proxy takes at most `takenMib` in one request. */
function sizesUntilTaken(takenMib: number): number[] {
  const [size, sizes] = [new PartSize(), [] as number[]]
  for (let isTaken = false, mayPass = true; !isTaken && mayPass;) {
    const { bytes } = size
    sizes.push(bytes / MIB)
    isTaken = bytes <= takenMib * MIB
    if (isTaken) size.grow(bytes, 10)
    else mayPass = size.refuse(bytes)
  }
  return [...sizes, size.bytes / MIB]
}

it.each([
  { proxy: 'none', takenMib: Infinity, sizes: [8, 16] },
  { proxy: 'nginx by default', takenMib: 1, sizes: [8, 4, 2, 1, 1] },
  { proxy: 'a small one', takenMib: 0.7, sizes: [8, 4, 2, 1, 0.5, 0.5] },
  { proxy: 'one that takes nothing', takenMib: 0.1, sizes: [8, 4, 2, 1, 0.5, 0.5] },
])('the size of a part fits a proxy: $proxy', ({ takenMib, sizes }) =>
  expect(sizesUntilTaken(takenMib)).toEqual(sizes),
)

it('the size of a part grows on a fast line, but not beyond what Cloudflare takes', () => {
  const size = new PartSize()
  for (let parts = 0; parts < 9; parts += 1) size.grow(size.bytes, 1000)
  expect(size.bytes / MIB).toBe(64)
})

it('the size of a part stays on a slow line, and after the short end of a file', () => {
  const size = new PartSize()
  size.grow(size.bytes, 3000)
  size.grow(1000, 1)
  expect(size.bytes / MIB).toBe(8)
})

it('the size of a part shrinks where nothing arrives, and grows again with the line', () => {
  const size = new PartSize()
  for (let breaks = 0; breaks < 9; breaks += 1) size.lose()
  expect(size.bytes / MIB).toBe(0.5)
  size.grow(size.bytes, 100)
  expect(size.bytes / MIB).toBe(1)
})

it('the size of a part obeys the smallest limit, whichever upload learns it', () => {
  const size = new PartSize()
  size.refuse(2 * MIB)
  size.refuse(8 * MIB)
  expect(size.bytes / MIB).toBe(1)
})
