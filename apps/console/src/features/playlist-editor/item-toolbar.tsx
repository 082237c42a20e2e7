import type { MoveDirection, PlaylistItem } from '@floorcast/contract/playlists.ts'
import { ActionIcon, Group, Tooltip } from '@mantine/core'
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
import { useWords } from '../../platform/i18n.ts'
import styles from './playlist-editor.module.css'
import { moveDirections, moveTarget } from './playlist-moves.ts'

const shapes: Record<MoveDirection, Icon> = {
  start: IconArrowBarToUp,
  up10: IconChevronsUp,
  up: IconChevronUp,
  down: IconChevronDown,
  down10: IconChevronsDown,
  end: IconArrowBarToDown,
}

interface ToolbarProps {
  chosen: PlaylistItem | null
  count: number
  move: (direction: MoveDirection) => void
  remove: () => void
}

/** The six moves for the chosen track: the buttons stay under the pointer while the track moves. */
export function ItemToolbar({ chosen, count, move, remove }: ToolbarProps) {
  const { t } = useWords()
  const mayMove = (direction: MoveDirection) =>
    chosen !== null && moveTarget(chosen.position, direction, count) !== chosen.position
  return (
    <Group gap={4} role="toolbar" className={styles.toolbar} aria-label={t('playlists:moveChosen')}>
      {moveDirections.map(direction => {
        const Shape = shapes[direction]
        return (
          <Tooltip key={direction} label={t(`playlists:moves.${direction}`)}>
            <ActionIcon
              aria-label={t(`playlists:moves.${direction}`)}
              disabled={!mayMove(direction)}
              onClick={() => move(direction)}
            >
              <Shape size={20} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )
      })}
      <Tooltip label={t('playlists:removeChosen')}>
        <ActionIcon aria-label={t('playlists:removeChosen')} disabled={!chosen} onClick={remove}>
          <IconTrash size={20} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
