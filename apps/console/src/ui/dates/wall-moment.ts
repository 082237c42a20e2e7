const two = (value: number) => String(value).padStart(2, '0')
const gap = 'T'

/** YYYY-MM-DDTHH:MM of an instant by the browser's clock: the value of a moment's field. */
export function fillMoment(at: Date): string {
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The instant of such a value by the browser's clock, in ms since the epoch; null if it is not a moment. */
export function readMoment(value: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(value)) return null
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : at
}

/** The two fields of a value; each may be an invalid text. */
export function splitMoment(value: string): { day: string; time: string } {
  const at = value.lastIndexOf(gap)
  return at < 0 ? { day: value, time: '' } : { day: value.slice(0, at), time: value.slice(at + 1) }
}

export const joinMoment = (day: string, time: string): string =>
  day === '' && time === '' ? '' : `${day}${gap}${time}`
