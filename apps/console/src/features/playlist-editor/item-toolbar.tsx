import type { MoveDirection } from '@floorcast/contract/playlist-parts.ts'
import type { PlaylistItem } from '@floorcast/contract/playlists.ts'
import { ActionIcon, Group } from '@mantine/core'
import {
  IconArrowBarToDown,
  IconArrowBarToUp,
  IconChevronDown,
  IconChevronsDown,
  IconChevronsUp,
  IconChevronUp,
  IconTrash,
  type Icon,
} from '@tabler/icons-react'
import { useTranslate } from '../../platform/i18n.ts'
import { Tooltip } from '../../ui/overlay/overlays.tsx'
import styles from './playlist-editor.module.css'
import { moveDirections, moveTarget } from './playlist-moves.ts'

const icons: Record<MoveDirection, Icon> = {
  start: IconArrowBarToUp,
  up10: IconChevronsUp,
  up: IconChevronUp,
  down: IconChevronDown,
  down10: IconChevronsDown,
  end: IconArrowBarToDown,
}

interface ToolbarProps {
  selected: PlaylistItem | null
  count: number
  move: (direction: MoveDirection) => void
  remove: () => void
}

/** Buttons of the six moves for the selected item; they stay under the pointer while the item moves. */
export function ItemToolbar({ selected, count, move, remove }: ToolbarProps) {
  const { t } = useTranslate()
  const mayMove = (direction: MoveDirection) =>
    selected !== null && moveTarget(selected.position, direction, count) !== selected.position
  return (
    <Group gap={4} role="toolbar" className={styles.toolbar} aria-label={t('playlists:moveChosen')}>
      {moveDirections.map(direction => {
        const MoveIcon = icons[direction]
        return (
          <Tooltip key={direction} label={t(`playlists:moves.${direction}`)}>
            <ActionIcon
              aria-label={t(`playlists:moves.${direction}`)}
              disabled={!mayMove(direction)}
              onClick={() => move(direction)}
            >
              <MoveIcon size={20} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )
      })}
      <Tooltip label={t('playlists:removeChosen')}>
        <ActionIcon aria-label={t('playlists:removeChosen')} disabled={!selected} onClick={remove}>
          <IconTrash size={20} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
