import type { Exceeded, MinutesOfDay } from '../domain/minutes.ts'

type Limits = MinutesOfDay['limits']

type MinutesTexts = {
  readonly title: (month: string) => string
  readonly instructor: (name: string, number: string | null) => string
  readonly limits: (minutes: readonly string[]) => string
  readonly practical: (minutes: number) => string
  readonly total: (minutes: number) => string
  readonly columns: readonly [string, string, string, string, string, string, string, string, string, string]
  readonly sum: (days: number) => string
  readonly unit: string
  readonly none: string
  readonly exceeded: Readonly<Record<Exceeded, (limits: Limits) => string>>
  readonly override: (rule: 'daily' | 'weekly', name: string, at: string | null) => string
  readonly open: (count: number) => string
  readonly page: (page: number, pages: number) => string
}

const de: MinutesTexts = {
  title: (month) => `Arbeitszeitnachweis für ${month}`,
  instructor: (name, number) => (number === null ? name : `${name}, Nr. ${number}`),
  limits: (minutes) => `Höchstens am Tag: ${minutes.join(', ')}`,
  practical: (minutes) => `${minutes} Minuten praktisch`,
  total: (minutes) => `${minutes} Minuten insgesamt`,
  columns: [
    'Tag',
    'Beginn',
    'Ende',
    'Geplant',
    'Gearbeitet',
    'Praktisch',
    'Insgesamt',
    'Pausen',
    'Ohne Pause',
    'Zeiten, Hinweise',
  ],
  sum: (days) => (days === 1 ? '1 Tag' : `${days} Tage`),
  unit: 'Alle Angaben in Minuten. Ohne Pause: längste Zeit ohne eine Pause von mindestens 15 Minuten.',
  none: 'In diesem Monat hat niemand gearbeitet.',
  exceeded: {
    practical_daily: ({ practical }) => `praktisch über ${practical}`,
    total_daily: ({ total }) => `insgesamt über ${total}`,
    school_daily: ({ daily_units, daily_override_units }) =>
      `über ${Math.max(daily_units ?? 0, daily_override_units ?? 0)} Einheiten am Tag`,
    school_weekly: () => 'über der Wochengrenze',
    break_missing: () => 'Pausen zu kurz',
    run_too_long: () => 'zu lange ohne Pause',
  },
  override: (rule, name, at) =>
    `Ausnahme ${rule === 'daily' ? 'am Tag' : 'in der Woche'}: ${name}${at ? `, ${at}` : ''}`,
  open: (count) => `${count} ohne Ergebnis`,
  page: (page, pages) => `Seite ${page} von ${pages}`,
}

const en: MinutesTexts = {
  title: (month) => `Working time in ${month}`,
  instructor: (name, number) => (number === null ? name : `${name}, no. ${number}`),
  limits: (minutes) => `At most a day: ${minutes.join(', ')}`,
  practical: (minutes) => `${minutes} minutes practical`,
  total: (minutes) => `${minutes} minutes in all`,
  columns: [
    'Day',
    'Start',
    'End',
    'Planned',
    'Worked',
    'Practical',
    'Total',
    'Breaks',
    'No break',
    'Times, remarks',
  ],
  sum: (days) => (days === 1 ? '1 day' : `${days} days`),
  unit: 'All figures in minutes. No break: the longest time without a break of at least 15 minutes.',
  none: 'Nobody worked in this month.',
  exceeded: {
    practical_daily: ({ practical }) => `practical over ${practical}`,
    total_daily: ({ total }) => `total over ${total}`,
    school_daily: ({ daily_units, daily_override_units }) =>
      `over ${Math.max(daily_units ?? 0, daily_override_units ?? 0)} units a day`,
    school_weekly: () => 'over the weekly limit',
    break_missing: () => 'breaks too short',
    run_too_long: () => 'too long without a break',
  },
  override: (rule, name, at) =>
    `Override of the ${rule === 'daily' ? 'day' : 'week'}: ${name}${at ? `, ${at}` : ''}`,
  open: (count) => `${count} without outcome`,
  page: (page, pages) => `Page ${page} of ${pages}`,
}

export function minutesTextsFor(language: string): MinutesTexts {
  return language === 'de' ? de : en
}
