import { z } from 'zod'
import { MAX_BULK_ITEMS, PAGING } from './bulk.ts'
import { DeviceDraft, DeviceFilter } from './devices.ts'
import { CsvSeparator } from './csv.ts'
import { editors, endpoint } from './endpoint.ts'
import { Kind, Uid } from './fields.ts'
import { Outcome } from './outcomes.ts'
import { PlaceTags } from './tag-calls.ts'

/** The last line of a file that an import reads. */
export const MAX_IMPORT_LINES = 100_000

/** A row of an import. The group is named by uid, or by its name, which must be unique; without either the device is in no group. */
export const DeviceImportRow = DeviceDraft.extend({
  /** The number of the row in the user's file, from 1. */
  line: z.int().min(1).max(MAX_IMPORT_LINES),
  /** The group by its uid. */
  groupUid: Uid.optional(),
  /** The group by its name, of any case. */
  group: z.string().normalize('NFC').trim().max(200, 'too-long').optional(),
  /** The new device's own tags. Admins alone give them, as everywhere. */
  tags: PlaceTags.optional(),
})
export type DeviceImportRow = z.infer<typeof DeviceImportRow>

export const DeviceImport = z.object({
  /** The caller makes it once for a file. A line of an import is stored once: a repeated call adds nothing twice. */
  importUid: Uid,
  /** Rows with the name and store number of a device that the client has: refuse the call, or skip these rows. */
  existing: z.enum(['refuse', 'skip']).default('refuse'),
  /** The devices; up to 1,000 a call. */
  rows: z.array(DeviceImportRow).min(1, 'empty').max(MAX_BULK_ITEMS, 'too-many'),
})

export const importDevices = endpoint({
  path: '/api/v2/device/import/{contentType}',
  summary:
    "Add up to 1,000 devices and put them in groups, all or none: HTTP 422 with `errors` by index (`rows.3.group`) if a row is invalid, names an unknown or unfitting group, occurs twice or exists already. `tags` of a row say where its device is, and need an admin. 400 'device-limit' above the plan's limit. Repeat a call whose answer was lost with the same `importUid` and lines. `done` has the device of each row in the order of the rows; `added` counts those of this import, `skipped` those that the client had before, whose lines `skippedLines` has.",
  access: editors,
  isHeavy: true,
  params: z.object({ contentType: Kind }),
  body: DeviceImport,
  answer: Outcome.extend({
    /** How many devices it has added, also by a former call with these lines. */
    added: z.int().optional(),
    /** How many rows it has left out, since the client had the device. */
    skipped: z.int().optional(),
    /** The lines of the rows that it has left out. */
    skippedLines: z.array(DeviceImportRow.shape.line).optional(),
  }),
  outcomes: ['done', 'notDone'],
})

/** The devices of a list of license keys: by uid, those of a device list's filter, or those that an import added. */
export const LicenseKeySelection = z.union([
  z.strictObject({
    /** At most 1,000 devices. */
    uids: z.array(Uid).min(1).max(MAX_BULK_ITEMS, 'too-many'),
  }),
  z.strictObject({
    /** Devices as the list finds them; `{}` finds all. */
    filter: DeviceFilter.omit(PAGING).strict(),
    /** Devices that the filter finds and the file leaves out. */
    except: z.array(Uid).max(MAX_BULK_ITEMS).default([]),
  }),
  z.strictObject({ importUid: Uid }),
])
export type LicenseKeySelection = z.output<typeof LicenseKeySelection>

export const exportLicenseKeys = endpoint({
  path: '/api/v2/device/licensekeys',
  summary:
    'Name, store number, group and license key of devices, by name, as csv (UTF-8 with a byte order mark), between commas or semicolons (`separator`). The key of a device that a player has bound is left out. It needs full rights, also after the subscription has expired. 404 if none of the named devices exists.',
  access: { ...editors, evenExpired: true },
  isHeavy: true,
  query: z.object({
    /** What stands between the cells. */
    separator: CsvSeparator.default('comma'),
  }),
  body: LicenseKeySelection,
  answer: z.unknown(),
  answerForm: 'bytes',
})
