/** The texts of the logs. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/en/logs.json',
  { import: 'default', eager: true },
)
