export const CHAPTERS = [
  'school',
  'days',
  'instructors',
  'lessons',
  'vehicles',
  'branches',
  'students',
  'cancellations',
  'messages',
  'webhooks',
  'retention',
] as const

export type Chapter = (typeof CHAPTERS)[number]

/** The chapters with fields that the page's Save button stores; the others store each change at once. */
export const SAVED_TOGETHER: ReadonlySet<Chapter> = new Set([
  'school',
  'days',
  'instructors',
  'lessons',
  'students',
  'cancellations',
  'messages',
])

export function chapterIn(value: string | undefined): Chapter | undefined {
  return CHAPTERS.find((one) => one === value)
}
