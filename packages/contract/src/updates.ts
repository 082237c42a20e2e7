import { z } from 'zod'
import { DeviceRow } from './devices.ts'
import { adminEditors, adminReaders, endpoint } from './endpoint.ts'
import { UpdateStep } from './events.ts'
import { Instant, ListQuery, listOf, Uid, valuesOf } from './fields.ts'
import { Outcome } from './outcomes.ts'
import { UpdateKey } from './update-signing.ts'

/** A device with its state as the list of devices has it, and its updates. */
export const UpdateDevice = DeviceRow.pick({
  uid: true,
  name: true,
  group: true,
  connectivity: true,
  activity: true,
  silentReason: true,
  isConnectionLost: true,
  lastContactAt: true,
  changesInSeconds: true,
}).extend({
  /** The program's version in its last heartbeat. */
  heldVersion: z.string().nullable(),
  /** The update in its manifest. */
  offered: z
    .object({
      packageUid: Uid,
      /** The package's. */
      name: z.string(),
      /** The package's. */
      version: z.string(),
      /** The channel that offers it. */
      channelName: z.string(),
      /** It also replaces a higher version. */
      isForced: z.boolean(),
    })
    .nullable(),
  /** The newest reported step, with version and time. */
  step: UpdateStep.nullable(),
  /** The version that the step is about. */
  stepVersion: z.string().nullable(),
  /** When it was, by the device's clock. */
  stepAt: Instant.nullable(),
  /** The reason of a failed step. */
  error: z.string().nullable(),
})
export type UpdateDevice = z.infer<typeof UpdateDevice>

export const UpdateDeviceFilter = ListQuery.extend({
  group: Uid.optional(),
  /** One or more steps, separated by commas. */
  step: valuesOf(UpdateStep.options).optional(),
  /** Devices of the channels that this package is on. */
  package: Uid.optional(),
})

export const listUpdateDevices = endpoint({
  path: '/update/devices',
  summary:
    'For each device, or those of the channels of a package: the installed and the offered version, the newest step, and the reason of a failure.',
  access: adminReaders,
  query: UpdateDeviceFilter,
  answer: listOf(UpdateDevice),
})

export const readUpdateKey = endpoint({
  path: '/api/v2/update/key',
  summary: 'The public key for the signatures of update files; null: no package can leave its draft.',
  access: adminReaders,
  answer: z.object({
    /** Ed25519: 32 bytes in base64; null: none is set. */
    publicKey: z.string().nullable(),
  }),
})

export const setUpdateKey = endpoint({
  method: 'POST',
  path: '/api/v2/update/key',
  summary:
    "Set or remove (null) the public key, which checks uploads, releases and offers. Devices have their own key from the installation. HTTP 422 'update-key'.",
  access: adminEditors,
  body: z.object({
    /** Ed25519: 32 bytes in base64; null removes it. */
    publicKey: UpdateKey.nullable(),
  }),
  answer: Outcome,
  outcomes: ['done'],
})
