import { installerPath } from '@floorcast/contract/installer-path.ts'
import { useLanguage, useTranslate } from '../../platform/i18n.ts'
import { CopyField } from '../../ui/copy-field.tsx'

/** The command that installs the player, to copy. What it prints is in the language of the page. */
export function InstallLine({ line }: { line: string }) {
  const { t } = useTranslate()
  const { language } = useLanguage()
  const text = line.replace(installerPath('en'), installerPath(language.code))
  return <CopyField label={t('devices:license.line')} text={text} />
}
