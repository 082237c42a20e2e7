import * as contract from '@floorcast/contract/device-commands.ts'
import type { Context } from '../../context.ts'
import type { Http } from '../../platform/http/http.ts'
import { ownDevice } from '../device-api/device-api.ts'
import { listDeviceCommands, readDeviceFile, sendCommand, storeDeviceFile } from './device-commands.ts'

/** The JSON of the largest file. */
const MAX_FILE_BODY_BYTES = 1_500_000

/** The calls of users. */
export function registerDeviceCommands(http: Http): void {
  http.done(contract.sendCommand, async call => ({
    uid: await sendCommand(call, call.params.uid, call.body),
  }))
  http.forUsers(contract.listDeviceCommands, call => listDeviceCommands(call, call.params.uid))
  http.streamToUsers(contract.readScreenshot, async call => {
    const { contentType, content } = await readDeviceFile(call, call.params.uid, 'screenshot')
    return call.reply.type(contentType).send(content)
  })
  http.streamToUsers(contract.readSentLog, async call => {
    const { content, madeAt } = await readDeviceFile(call, call.params.uid, 'log')
    const name = `device-log-${madeAt.slice(0, 19).replaceAll(/[-:]/g, '')}Z.txt`
    return call.reply
      .type('text/plain; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(content)
  })
}

/** The call with which devices deliver screenshots and logs. */
export function registerDeviceFiles(http: Http, { database }: Context): void {
  http.forDevices(
    contract.sendDeviceFile,
    async call => {
      const device = ownDevice(call)
      const scope = database.devices.forClient(device.clientId)
      await storeDeviceFile(scope, device, { commandUid: call.params.id, file: call.body, now: call.now })
      return { code: 200 }
    },
    { bodyLimit: MAX_FILE_BODY_BYTES },
  )
}
