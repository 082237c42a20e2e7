import * as filters from '@floorcast/contract/device-filters.ts'
import * as imports from '@floorcast/contract/device-import.ts'
import * as contract from '@floorcast/contract/devices.ts'
import type { Context } from '../../context.ts'
import type { Http } from '../../platform/http/http.ts'
import { readPlays } from '../archive/archive.ts'
import { listDeviceLog, listLastPlays } from '../logs/logs.ts'
import {
  addDevice,
  editDevice,
  deleteDevice,
  deleteManyDevices,
  readDevice,
  listDevices,
  listDeviceFilterValues,
  requireDevice,
  resetHeartbeat,
  resetLicense,
} from './devices.ts'
import { exportLicenseKeys } from './license-keys.ts'

export function registerDevices(http: Http, context: Context): void {
  const { settings } = context
  http.forUsers(contract.listDevices, call => listDevices(call, call.query))
  http.forUsers(filters.listDeviceFilterValues, call =>
    listDeviceFilterValues(call, call.params.filter, call.query),
  )
  http.forUsers(contract.readDevice, call => readDevice(call, call.params.id, settings))
  http.forUsers(contract.listFreeDevices, call =>
    listDevices(call, { ...call.query, kind: call.params.x, isFree: true }),
  )
  http.done(contract.addDevice, async call => ({
    uid: await addDevice(call, call.params.contentType, call.body),
  }))
  http.done(contract.editDevice, call => editDevice(call, call.body))
  http.done(contract.deleteDevice, call => deleteDevice(call, call.body.uid))
  http.forUsers(contract.deleteManyDevices, call => deleteManyDevices(call, call.body))
  http.done(contract.resetHeartbeat, call => resetHeartbeat(call, call.params.id))
  http.done(contract.resetLicense, async call => ({
    licenseKey: await resetLicense(call, call.params.uid),
  }))
  http.forUsers(contract.listLastPlays, async call => {
    const { id: deviceUid, count } = call.params
    await requireDevice(call, deviceUid)
    return listLastPlays(call.scope.reads, { deviceUid, count, now: call.now })
  })
  http.forUsers(contract.listDeviceLog, async call => {
    const { id: deviceUid, kind } = call.params
    await requireDevice(call, deviceUid)
    return readPlays(context, call.scope, reads => listDeviceLog(reads, kind, { ...call.query, deviceUid }))
  })
  http.streamToUsers(imports.exportLicenseKeys, async call =>
    call.reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="license-keys.csv"')
      .send(await exportLicenseKeys(call, call.body, call.query.separator)),
  )
}
