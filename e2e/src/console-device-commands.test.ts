import { randomUUID } from 'node:crypto'
import { makeClient } from '@floorcast/contract/client.ts'
import { sendDeviceFile } from '@floorcast/contract/device-commands.ts'
import { openDeviceSession } from '@floorcast/contract/device-protocol.ts'
import { listDevices, readDevice } from '@floorcast/contract/devices.ts'
import { release } from '@floorcast/contract/release.ts'
import { collectComplaints } from '@floorcast/testing/browser.ts'
import { openChannel } from '@floorcast/testing/test-device.ts'
import { expect, it, onTestFinished } from 'vitest'
import { testConsole } from './console-under-test.ts'

const shop = testConsole()
/** One grey pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='

/** A player of the video device that answers each command as `answer` says. */
async function connectPlayer(answer: (command: string) => object) {
  const { items } = await shop.client.call(listDevices, { query: { kind: 'video' } })
  const uid = items[0]?.uid ?? ''
  const { licenseKey } = await shop.client.call(readDevice, { params: { id: uid } })
  const body = {
    licenseKey: licenseKey ?? '',
    boxId: randomUUID(),
    model: 'test box',
    version: release.version,
  }
  const { token } = await makeClient({ base: shop.url, token: () => null })(openDeviceSession, { body })
  const call = makeClient({ base: shop.url, token: () => token })
  const channel = await openChannel(shop.url, uid, token)
  let isOver = false
  onTestFinished(() => void (isOver = true))
  const followAll = async () => {
    for (let followed = 0; !isOver;) {
      const heard = await channel.hear(followed + 1).catch(() => [])
      for (const message of heard.slice(followed)) {
        followed += 1
        if (message.type !== 'command') continue
        const { id, command } = message
        if (command === 'screenshot')
          await call(sendDeviceFile, {
            params: { playpointid: uid, id },
            body: { contentType: 'image/png', content: PICTURE },
          })
        channel.say({ type: 'ack', id, ...answer(command) })
      }
    }
  }
  void followAll()
  return uid
}

it('commands on the card of a device are answered live: a picture, a refusal with its reason, a restart after a question, a volume and its reset', async () => {
  const complaints = collectComplaints(shop.page)
  const uid = await connectPlayer(command =>
    command === 'identify' ? { ok: false, why: 'alert' } : { ok: true },
  )
  await shop.visit(`/equipments/devicesOne/${uid}`)
  const panel = shop.page.getByRole('region', { name: 'Remote commands' })
  const commands = panel.getByRole('list', { name: 'Recent commands' }).getByRole('listitem')
  await panel.getByText('No commands in the last day').waitFor()
  await panel.getByRole('button', { name: 'Play a sound' }).click()
  await commands
    .first()
    .getByText(/^Failed .*: an alert is on$/)
    .waitFor()
  await panel.getByRole('button', { name: 'Take a screenshot' }).click()
  await panel.getByRole('img', { name: /^What Central Station showed/ }).waitFor()
  await commands
    .first()
    .getByText(/^Done /)
    .waitFor()
  await panel.getByRole('button', { name: 'Restart' }).click()
  const dialog = shop.page.getByRole('dialog', { name: 'Restart the player?' })
  await dialog.getByRole('button', { name: 'Restart' }).click()
  await commands
    .filter({ hasText: 'Restart' })
    .getByText(/^Done /)
    .waitFor()
  await panel.getByText(/^70% \(.5 dB\)$/).waitFor()
  await panel.getByRole('slider', { name: 'Volume' }).press('ArrowLeft')
  await commands
    .filter({ hasText: 'Volume 69' })
    .getByText(/^Done /)
    .waitFor()
  await panel.getByRole('button', { name: 'Reset the volume' }).click()
  await commands
    .filter({ hasText: 'Volume 70' })
    .getByText(/^Done /)
    .waitFor()
  expect(await panel.getByRole('button', { name: 'Reset the volume' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

it('commands on the card of a device wait for a device that is not connected; one for sound has no screenshot', async () => {
  await shop.visit(`/equipments/devicesOne/${shop.deviceUid}`)
  const panel = shop.page.getByRole('region', { name: 'Remote commands' })
  await panel.getByRole('button', { name: 'Play a sound' }).click()
  await panel.getByText(/^Waits for the device until /).waitFor()
  expect(await panel.getByRole('button', { name: 'Take a screenshot' }).count()).toBe(0)
})
