import type { RequestContext } from '../../platform/auth/request-context.ts'
import { readOffers } from '../manifests/manifests.ts'
import { type DeviceList, listDeviceRecords } from './update-devices-queries.ts'

/** Devices with the version that each holds and is offered, its newest step and why it failed. */
export async function readDevices(ctx: RequestContext, list: DeviceList) {
  return ctx.scope.readTogether(async reads => {
    const page = await listDeviceRecords(reads, list, ctx.now)
    const offers = await readOffers(reads, [...new Set(page.items.flatMap(({ group }) => group?.uid ?? []))])
    const items = page.items.map(row => ({ ...row, offered: offers.get(row.group?.uid ?? '') ?? null }))
    return { ...page, items }
  })
}
