import { randomUUID } from 'node:crypto'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import { expect, test } from 'vitest'

const { database } = await testDatabase()

test('one client never has all connections that read the archive', async () => {
  const [busy, other] = [randomUUID(), randomUUID()]
  const open = (clientId: string) =>
    database.archived.forClient(clientId).open({ timeZone: 'UTC', isOverlaid: true })
  const held = [await open(busy), await open(busy)]
  let isThirdOpen = false
  const third = open(busy).then(session => {
    isThirdOpen = true
    return session
  })
  const ofOther = await open(other)
  ofOther.close()
  expect(isThirdOpen).toBe(false)
  held[0]?.close()
  for (const session of [await third, held[1]]) session?.close()
})
