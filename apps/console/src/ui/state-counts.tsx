import { Progress, UnstyledButton } from '@mantine/core'
import { useFormat } from '../platform/format.ts'
import { AnimatedNumber } from './animated-number.tsx'
import styles from './state-counts.module.css'
import { StatusBadge, type StatusTone } from './status-badge.tsx'

interface StateCountsProps<State extends string> {
  /** The number of devices in each state. */
  counts: Readonly<Record<State, number>>
  total: number
  /** The states that the bar shows, with their colors. */
  bar: readonly (readonly [State, string])[]
  states: readonly State[]
  tones: Readonly<Record<State, StatusTone>>
  name: (state: State) => string
  /** The state that the list below is filtered by. */
  chosen: State | null
  choose: (state: State | null) => void
}

/** The states of devices as a bar and as counts; a count filters a list of the devices by its state. */
export function StateCounts<State extends string>(props: StateCountsProps<State>) {
  const { counts, total, bar, states, tones, name, chosen, choose } = props
  const format = useFormat()
  return (
    <>
      <Progress.Root size="lg">
        {bar.map(([state, color]) => (
          <Progress.Section
            key={state}
            value={total === 0 ? 0 : (counts[state] / total) * 100}
            color={color}
            aria-label={name(state)}
          />
        ))}
      </Progress.Root>
      <ul className={styles.counts}>
        {states.map(state => (
          <li key={state}>
            <UnstyledButton
              className={styles.count}
              aria-pressed={chosen === state}
              onClick={() => choose(chosen === state ? null : state)}
            >
              <span className={styles.countNumber}>
                <AnimatedNumber value={counts[state]} format={count => format.number(Math.round(count))} />
              </span>
              <StatusBadge tone={counts[state] === 0 ? 'none' : tones[state]}>{name(state)}</StatusBadge>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </>
  )
}
