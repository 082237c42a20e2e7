/** The texts of alerts: their pages, the banner and the dialogs. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/en/alerts.json',
  { import: 'default', eager: true },
)
