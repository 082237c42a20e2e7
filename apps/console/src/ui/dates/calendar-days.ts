const dayMs = 86_400_000
const monday = 1

/** @param days negative: before it */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** The same day of another month, or that month's last one. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0))
  last.setUTCDate(Math.min(date, last.getUTCDate()))
  return last.toISOString().slice(0, 10)
}

/** 0 is Sunday. */
const weekdayOf = (day: string) => new Date(day).getUTCDay()

/** The first day of the week in a region, 0 for Sunday; Monday where the browser does not know. */
export function firstWeekday(tag: string): number {
  const locale = new Intl.Locale(tag) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  return (locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: monday }).firstDay % 7
}

export const startOfWeek = (day: string, first: number): string =>
  addDays(day, -((weekdayOf(day) - first + 7) % 7))

/** The six weeks that hold a day's month, so that the calendar keeps its height. */
export function weeksOf(day: string, first: number): string[][] {
  const start = startOfWeek(`${day.slice(0, 7)}-01`, first)
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (__, at) => addDays(start, week * 7 + at)),
  )
}
