import { z } from 'zod'
import { adminEditors, endpoint, readers } from './endpoint.ts'
import { Description, Instant, TimeOfDay, Uid } from './fields.ts'
import { Outcome } from './outcomes.ts'
import { isTimeZone, KNOWN_TAG_KEYS, parseAudience, STORE_ZONES, TAG_LEVELS } from './tags.ts'

/** `{contentType}` of tag: whose tags. */
export const TagLevel = z.enum(TAG_LEVELS)
export type TagLevel = z.infer<typeof TagLevel>

export const Tag = z.object({
  uid: Uid,
  /** One of the known keys, or any other. */
  key: z.string(),
  /** Text; the known keys have formats. */
  value: z.string(),
  /** A note of the users; may be empty. */
  description: z.string(),
  changedAt: Instant,
})
export type Tag = z.infer<typeof Tag>

const NO_CONTROLS = /^[^\p{Cc}\p{Cs}]*$/u
const text = (most: number) =>
  z
    .string()
    .normalize('NFC')
    .trim()
    .max(most, 'too-long')
    .refine(value => NO_CONTROLS.test(value), 'special-characters')

/** Letters, digits and . _ - : within; 1 to 40. */
export const TagKey = text(40).regex(/^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}._:-]| (?=\S))*$/u, 'tag-key')
const TagValue = text(200).min(1, 'empty')

const isNumberWithin = (most: number) => (value: string) =>
  /^-?\d{1,3}(\.\d{1,10})?$/.test(value) && Math.abs(Number(value)) <= most

/** The formats of typed keys; every other key is free text. */
const TYPED: Readonly<Record<string, { fits: (value: string) => boolean; message: string }>> = {
  volume: { fits: value => /^\d{1,3}$/.test(value) && Number(value) <= 100, message: 'volume' },
  openingTime: { fits: value => TimeOfDay.safeParse(value).success, message: 'time-of-day' },
  closingTime: { fits: value => TimeOfDay.safeParse(value).success, message: 'time-of-day' },
  timeZone: { fits: isTimeZone, message: 'time-zone' },
  latitude: { fits: isNumberWithin(90), message: 'latitude' },
  longitude: { fits: isNumberWithin(180), message: 'longitude' },
  audience: { fits: value => parseAudience(value) !== null, message: 'audience' },
  zone: { fits: value => STORE_ZONES.some(zone => zone === value), message: 'store-zone' },
}

/** The key of `fields.json` for a value with a wrong format; null for a valid value. */
function whyNotTyped(key: string, value: string): string | null {
  const type = Object.hasOwn(TYPED, key) ? TYPED[key] : undefined
  return type && !type.fits(value) ? type.message : null
}

function checkTyped(tag: { key: string; value?: string | undefined }, context: z.RefinementCtx): void {
  const message = tag.value === undefined ? null : whyNotTyped(tag.key, tag.value)
  if (message) context.addIssue({ code: 'custom', path: ['value'], message })
}

/** A value of a known key, checked as its format wants. */
const tagValue = (key: (typeof KNOWN_TAG_KEYS)[number]) =>
  TagValue.superRefine((value, context) => {
    const message = whyNotTyped(key, value)
    if (message) context.addIssue({ code: 'custom', message })
  })

/** The tags that say where a device is, and when its shop is open. */
export const PlaceTags = z.object({
  /** The town. */
  city: tagValue('city').optional(),
  /** Street and number. */
  address: tagValue('address').optional(),
  /** Its name in a language of the console, or its ISO 3166 code. */
  country: tagValue('country').optional(),
  /** IANA, such as `Europe/Berlin`. */
  timeZone: tagValue('timeZone').optional(),
  /** HH:MM, inclusive. */
  openingTime: tagValue('openingTime').optional(),
  /** HH:MM, exclusive. */
  closingTime: tagValue('closingTime').optional(),
})
export type PlaceTags = z.output<typeof PlaceTags>

export const TagDraft = z
  .object({
    key: TagKey,
    /** Any text; a known key has a format, such as HH:MM for `openingTime`. */
    value: TagValue,
    description: Description.default(''),
  })
  .superRefine(checkTyped)
export const TagChange = z
  .object({ key: TagKey, value: TagValue.optional(), description: Description.optional() })
  .superRefine(checkTyped)

export const TagOwner = z.object({
  contentType: TagLevel,
  /** The device's or the group's. `own`: the client of the signed-in user, so that no caller needs its uid. */
  uid: z.union([Uid, z.literal('own')]),
})

export const listTags = endpoint({
  path: '/tag/{contentType}/{uid}',
  summary: `The tags of a device, a group or the client (uid \`own\`), by key. Floorcast itself understands ${KNOWN_TAG_KEYS.join(', ')}.`,
  access: readers,
  params: TagOwner,
  answer: z.array(Tag),
})

export const addTag = endpoint({
  path: '/tag/{contentType}/{uid}/add',
  summary: "Add a tag; the known keys are typed. 400 'tag-exists'.",
  access: adminEditors,
  params: TagOwner,
  body: TagDraft,
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const editTag = endpoint({
  path: '/tag/{contentType}/{uid}/edit',
  summary: "Change the value or description of the tag with this key. 400 'no-such-tag'.",
  access: adminEditors,
  params: TagOwner,
  body: TagChange,
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const deleteTag = endpoint({
  path: '/tag/{contentType}/{uid}/delete',
  summary: "Delete the tag with this key. 400 'no-such-tag', of a volume 'volume-already-default'.",
  access: adminEditors,
  worksOnFullDisk: true,
  params: TagOwner,
  body: z.object({ key: TagKey }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

/** An effective tag of a device with its level. */
export const EffectiveTag = z.object({
  /** Each key once. */
  key: z.string(),
  /** That of the level which wins. */
  value: z.string(),
  level: TagLevel,
})
export const EffectiveTags = z.object({
  policy: TagLevel,
  /** Sorted by key. */
  tags: z.array(EffectiveTag),
})
export type EffectiveTags = z.infer<typeof EffectiveTags>

export const readEffectiveTags = endpoint({
  path: '/api/v2/device/{uid}/tags',
  summary: 'The effective tags of a device and the source of each.',
  access: readers,
  params: z.object({ uid: Uid }),
  answer: EffectiveTags,
})

export const setTagPolicy = endpoint({
  path: '/policy/{uid}/{resultpolicy}',
  summary:
    "Set whose tags win for a device: its own (`device`, the default), its group's or the client's. The answer has the effective tags and the source of each.",
  access: adminEditors,
  params: z.object({ uid: Uid, resultpolicy: TagLevel }),
  answer: Outcome.extend(EffectiveTags.partial().shape),
  outcomes: ['done'],
})

/** Owners are named by uid, or by a unique name; tags of the client need neither. */
export const TagImport = z
  .array(
    z
      .object({
        contentType: TagLevel,
        uid: Uid.optional(),
        /** The owner's, if no other of its kind has it. */
        name: z.string().max(200).optional(),
        key: TagKey,
        value: TagValue,
        description: Description.default(''),
      })
      .superRefine(checkTyped)
      .refine(
        entry => entry.contentType === 'client' || entry.uid !== undefined || entry.name !== undefined,
        { path: ['uid'], message: 'empty' },
      ),
  )
  .min(1, 'empty')
  .max(10_000, 'too-many')

export const importTags = endpoint({
  path: '/tagext/import',
  summary:
    'Set many tags, all or none: HTTP 422 with `errors` by index (`3.value`) if one is invalid, names an unknown item or occurs twice.',
  access: adminEditors,
  isHeavy: true,
  body: TagImport,
  answer: Outcome.extend({
    /** How many tags are new. */
    added: z.int().optional(),
    /** How many were there, and have the values of the import now. */
    changed: z.int().optional(),
  }),
  outcomes: ['done', 'notDone'],
})
