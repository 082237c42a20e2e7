import {
  creditFields,
  formatIsrc,
  type CreditField,
  type MediaCredits,
} from '@floorcast/contract/media-credits.ts'
import { isAd, type MediaCard, type MediaRow, type MediaType } from '@floorcast/contract/media.ts'
import { Alert, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useId } from 'react'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import type { ItemField } from '../../ui/detail/item-fields.tsx'

/** A credit as a list or a card shows it: an ISRC with its hyphens, from left to right in every language. */
export function CreditText({ field, text }: { field: CreditField; text: string }) {
  return field === 'isrc' ? <bdi dir="ltr">{formatIsrc(text)}</bdi> : <bdi>{text}</bdi>
}

/** The credits as fields of list and card. */
export const creditItemFields = (t: Translate, contentType: MediaType): ItemField<MediaRow, MediaCard>[] => [
  ...creditFields.map((field): ItemField<MediaRow, MediaCard> => ({
    id: field,
    header: t(`media:credits.${field}`),
    isSortable: field === 'artist',
    // Ads have an artist more rarely than any other recording in a shop.
    isHiddenAtFirst: field !== 'artist' || isAd(contentType),
    // An ad is not a recording: its card has the credits that it was given.
    isShown: row => !isAd(contentType) || row[field] !== '',
    cell: row => row[field] && <CreditText field={field} text={row[field]} />,
  })),
  {
    id: 'invalidIsrc',
    header: t('media:credits.invalidIsrc'),
    only: 'card',
    isShown: ({ invalidIsrc }) => invalidIsrc !== '',
    cell: ({ invalidIsrc }) => <bdi>{invalidIsrc}</bdi>,
  },
]

interface CreditInputsProps<Values extends MediaCredits & Record<string, unknown>> {
  form: UseFormReturnType<Values>
  /** The text that the file has in place of an ISRC. */
  invalidIsrc: string
}

/** The credits in a form. */
export function CreditInputs<Values extends MediaCredits & Record<string, unknown>>({
  form,
  invalidIsrc,
}: CreditInputsProps<Values>) {
  const { t } = useTranslate()
  const heading = useId()
  return (
    <Stack gap="md" role="group" aria-labelledby={heading}>
      <Text id={heading} fw={600} mt="xs">
        {t('media:credits.legend')}
      </Text>
      {invalidIsrc !== '' && (
        <Alert color="amber">{t('media:credits.invalidHint', { text: invalidIsrc })}</Alert>
      )}
      {creditFields.map(field => (
        <TextInput
          key={field}
          label={t(`media:credits.${field}`)}
          autoComplete="off"
          {...(field === 'isrc' ? { dir: 'ltr', description: t('media:credits.isrcHint') } : {})}
          {...form.getInputProps(field)}
        />
      ))}
    </Stack>
  )
}
