import { Stack, Text, Title } from '@mantine/core'
import { IconMovie, IconMusic } from '@tabler/icons-react'
import { useWords } from '../../platform/i18n.ts'
import type { SmartType } from './wizard-draft.ts'
import styles from './wizard.module.css'

const types = [
  { type: 'audio-smart', word: 'audio', icon: IconMusic },
  { type: 'video-smart', word: 'video', icon: IconMovie },
] as const

/** What comes first: sound or pictures. */
export function TypeChoice({ choose }: { choose: (type: SmartType) => void }) {
  const { t } = useWords()
  return (
    <Stack gap="md" maw={800}>
      <div>
        <Title order={2}>{t('wizard:type.title')}</Title>
        <Text c="dimmed">{t('wizard:type.text')}</Text>
      </div>
      <div className={styles.types}>
        {types.map(({ type, word, icon: Glyph }) => (
          <button key={type} type="button" className={styles.type} onClick={() => choose(type)}>
            <Glyph size={40} stroke={1.25} aria-hidden className={styles.typeIcon} />
            <span className={styles.typeName}>{t(`kinds.${word}`)}</span>
            <Text component="span" c="dimmed">
              {t(`wizard:type.${word}`)}
            </Text>
          </button>
        ))}
      </div>
    </Stack>
  )
}
