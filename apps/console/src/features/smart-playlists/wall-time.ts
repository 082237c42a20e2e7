const pad = (value: number) => String(value).padStart(2, '0')

/** A start of 59.9999 s is one of a minute. */
const rounding = 0.001

/** HH:MM:SS, the second that has begun. @param seconds since midnight */
export function sayWallTime(seconds: number): string {
  const whole = Math.floor(seconds + rounding) % 86_400
  return `${sayWallMinute(whole)}:${pad(whole % 60)}`
}

/** HH:MM. @param seconds since midnight, whole */
export function sayWallMinute(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}
