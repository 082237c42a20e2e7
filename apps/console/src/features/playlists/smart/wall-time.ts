const pad = (value: number) => String(value).padStart(2, '0')

/** HH:MM, and the seconds where there are some. @param seconds since midnight */
export function sayWallTime(seconds: number): string {
  const whole = Math.round(seconds) % 86_400
  const minutes = `${pad(Math.floor(whole / 3600))}:${pad(Math.floor((whole % 3600) / 60))}`
  return whole % 60 === 0 ? minutes : `${minutes}:${pad(whole % 60)}`
}
