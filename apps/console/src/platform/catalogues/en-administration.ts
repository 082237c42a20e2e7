/** The texts of the pages of administration. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/en/{profiles,tags,users}.json',
  { import: 'default', eager: true },
)
