import styles from './sparkline.module.css'

const [width, height] = [200, 32]

/** A small line of values in their order, from the least to the greatest; its figures stand beside it as text. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const [min, max] = [Math.min(...values), Math.max(...values)]
  const x = (index: number) => (values.length < 2 ? width / 2 : (index / (values.length - 1)) * width)
  const y = (value: number) =>
    max === min ? height / 2 : height - 2 - ((value - min) / (max - min)) * (height - 4)
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  return (
    // Time runs from left to right in charts of every language.
    <svg
      className={styles.line}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polyline points={values.length === 1 ? `0,${height / 2} ${width},${height / 2}` : points} />
    </svg>
  )
}
