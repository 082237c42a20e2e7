import { IconRotateClockwise, IconTrash } from '@tabler/icons-react'

/** The next state. */
export const turnIcon = <IconRotateClockwise size={16} aria-hidden />
export const deleteIcon = <IconTrash size={16} aria-hidden />
