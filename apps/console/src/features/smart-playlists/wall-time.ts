const pad = (value: number) => String(value).padStart(2, '0')

/** A start at 59.9999 s counts as the full minute. */
const rounding = 0.001

/** HH:MM:SS, rounded down. @param seconds since midnight */
export function formatWallTime(seconds: number): string {
  const whole = Math.floor(seconds + rounding) % 86_400
  return `${formatWallMinute(whole)}:${pad(whole % 60)}`
}

/** HH:MM. @param seconds since midnight, whole */
export function formatWallMinute(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}
