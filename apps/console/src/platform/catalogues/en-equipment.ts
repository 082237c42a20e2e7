/** The texts of the pages of devices and groups. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/en/{devices,groups}.json',
  { import: 'default', eager: true },
)
