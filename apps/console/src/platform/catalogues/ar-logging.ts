/** The texts of the logs, of the change history and of their periods. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/ar/{audit,logs,period}.json',
  { import: 'default', eager: true },
)
