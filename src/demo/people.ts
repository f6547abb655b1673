import type { NewAvailability } from '../contract/availability.ts'
import type { NewEnquiry } from '../contract/enquiry.ts'
import type { Instructor, NewInstructor } from '../contract/instructor.ts'
import type { LicenseClassTemplate } from '../contract/license-class-template.ts'
import type { NewStudent } from '../contract/student.ts'
import type { NewWish } from '../contract/wish.ts'
import { type Day, daysLater, type LocalDate, localDateFor } from '../domain/local-time.ts'
import type { StudentLanguage } from '../domain/page-languages.ts'
import type { Random } from '../domain/random.ts'
import { plain, spellingsOf } from '../domain/spelling.ts'
import type { GivenContact } from '../domain/student-contacts.ts'

const WORKDAYS = [1, 2, 3, 4, 5]

/** Days off of an instructor, counted from the Monday of the demo's first week. */
type DaysOff = {
  readonly last_name: string
  readonly from: number
  readonly to: number
  readonly note: string
}

const DAYS_OFF: readonly DaysOff[] = [
  { last_name: 'Hoffmann', from: 7, to: 11, note: 'Herbsturlaub' },
  { last_name: 'Öztürk', from: -3, to: -3, note: 'Fortbildung' },
]

const INSTRUCTORS: readonly NewInstructor[] = [
  {
    first_name: 'Sabine',
    last_name: 'Albrecht',
    color: '#0072B2',
    license_classes: ['B', 'BE'],
    max_daily_units: 9,
    max_daily_override: 10,
    availability_windows: windows(WORKDAYS, '08:00', '17:30'),
    ...contact('sabine.albrecht', 11),
  },
  {
    first_name: 'Murat',
    last_name: 'Demir',
    color: '#D55E00',
    license_classes: ['B', 'A', 'A2', 'A1', 'AM'],
    availability_windows: [...windows([1, 2, 3, 4], '10:00', '20:30'), ...windows([6], '09:00', '14:00')],
    required_break_minutes: 10,
    ...contact('murat.demir', 12),
  },
  {
    first_name: 'Petra',
    last_name: 'Hoffmann',
    color: '#009E73',
    license_classes: ['B'],
    max_daily_units: 6,
    max_weekly_units: 24,
    availability_windows: [...windows([1, 2, 4], '08:00', '13:00'), ...windows([3], '13:00', '19:00')],
    ...contact('petra.hoffmann', 13),
  },
  {
    first_name: 'Thomas',
    last_name: 'Krüger',
    color: '#CC79A7',
    license_classes: ['B', 'BE', 'C', 'CE'],
    max_daily_units: 10,
    max_daily_override: 11,
    availability_windows: windows(WORKDAYS, '07:00', '16:30'),
    ...contact('thomas.krueger', 14),
  },
  {
    first_name: 'Ayşe',
    last_name: 'Öztürk',
    color: '#56B4E9',
    license_classes: ['B'],
    max_daily_units: 8,
    required_break_minutes: 15,
    max_continuous_minutes: 270,
    availability_windows: [...windows(WORKDAYS, '08:30', '12:30'), ...windows(WORKDAYS, '13:30', '18:30')],
    ...contact('ayse.oeztuerk', 15),
  },
  {
    first_name: 'Jan',
    last_name: 'Wiśniewski',
    color: '#E69F00',
    license_classes: ['B', 'A'],
    max_weekly_units: 40,
    availability_windows: [...windows([2, 3, 4, 5], '12:00', '21:30'), ...windows([6], '08:00', '15:00')],
    ...contact('jan.wisniewski', 16),
  },
]

/** Returns the instructors, with vacations around the given Monday. */
export function demoInstructors(monday: Day): readonly NewInstructor[] {
  return INSTRUCTORS.map((instructor) => ({
    ...instructor,
    vacations: DAYS_OFF.filter(({ last_name }) => last_name === instructor.last_name).map(
      ({ from, to, note }) => ({
        start_date: localDateFor(monday + from),
        end_date: localDateFor(monday + to),
        note,
      }),
    ),
  }))
}

const FIRST_NAMES =
  'Lena Emma Mia Hannah Sofia Lina Marie Clara Amelie Leonie Zeynep Elif Aylin Maja Julia Paul Ben Leon Finn Elias Jonas Luis Noah Felix Emre Can Yusuf Jakub Mateo Luca'.split(
    ' ',
  )
const LAST_NAMES =
  'Vogt Arslan Bauer Böhm Celik Dietrich Engel Fischer Friedrich Graf Günther Haas Hartmann Huber Jansen Kaya Keller Klein Koch König Kowalski Lange Lehmann Lorenz Maier Möller Nowak Otto Peters Pohl Reuter Richter Roth Sahin Schäfer Scholz Schubert Seidel Simon Sommer Stein Thomas Ulrich Vogel Wagner Weber Winkler Wolf Yildiz Ziegler'.split(
    ' ',
  )

const CLASSES = [
  ...Array(7).fill('B'),
  ...Array(6).fill('BF17'),
  ...Array(4).fill('B197'),
  'A1',
  'A',
  'BE',
] as string[]
const YOUNGEST: Readonly<Record<string, number>> = {
  BF17: 16.6,
  A1: 16,
  B: 17.6,
  B197: 17.6,
  BE: 18.5,
  A: 24,
}
const PICKUP_PLACES = [
  'S-Bahnhof Sonnenallee',
  'U-Bahnhof Hermannplatz',
  'S-Bahnhof Karlshorst',
  'Gesundbrunnen-Center',
  'Treptower Park',
]
const NOTES = [
  'Nur nachmittags, Schichtdienst',
  'Brille eintragen',
  'Abholung am Bahnhof',
  'Wiederholt die Theorie',
]

/** The languages of some students, by first name; the others get the school's. */
const LANGUAGES: Readonly<Record<string, StudentLanguage>> = {
  Zeynep: 'tr',
  Yusuf: 'tr',
  Mateo: 'en',
}

const PARENTS = ['Katrin', 'Stefan', 'Ulrike', 'Mehmet', 'Agnieszka']

/** The people who have sent the form on the school's website and wait for an answer. */
export const DEMO_ENQUIRIES: readonly NewEnquiry[] = [
  {
    first_name: 'Nele',
    last_name: 'Brinkmann',
    phone: '+49 30 5550401',
    license_class: 'BF17',
    weekdays: [1, 3],
    time_from: '15:00',
    time_to: '19:00',
    message: 'Ich werde im März 17. Ab wann kann ich mit der Theorie anfangen?',
    consent: true,
  },
  {
    first_name: 'Oleksandr',
    last_name: 'Kovalenko',
    email: 'oleksandr.kovalenko@example.org',
    license_class: 'B',
    message: 'Ich möchte meinen Führerschein umschreiben lassen.',
    consent: true,
  },
]

const STREETS = ['Sonnenallee', 'Weserstraße', 'Pannierstraße', 'Hobrechtstraße', 'Karl-Marx-Straße']

/** Returns the classes that a student holds; some have not been asked yet. */
function priorClassesAt(index: number, code: string): NonNullable<NewStudent['prior_classes']> | null {
  if (code === 'BE') return [{ license_class: 'B' }]
  if (index % 5 === 4) return null
  return index % 9 === 0 ? [{ license_class: 'AM' }] : []
}

type DemoStaff = {
  readonly templates: ReadonlyMap<string, LicenseClassTemplate>
  readonly instructors: readonly Instructor[]
}

/** Returns students of different classes; two of three have a preferred instructor. */
export function demoStudents(
  random: Random,
  today: Day,
  { templates, instructors }: DemoStaff,
): readonly NewStudent[] {
  return Array.from({ length: 60 }, (_, index) => {
    const code = random.pick(CLASSES)
    const template = templates.get(code)
    const age = (YOUNGEST[code] ?? 18) + random.next() * 4
    const first_name = random.pick(FIRST_NAMES)
    const last_name = LAST_NAMES[(index * 7) % LAST_NAMES.length] ?? 'Vogt'
    return {
      first_name,
      last_name,
      email: `${addressPart(first_name)}.${addressPart(last_name)}.${index}@example.org`,
      phone: `+49 30 5550${String(100 + index)}`,
      birth_date: localDateFor(today - Math.round(age * 365.25)),
      address: index % 6 === 5 ? null : `${STREETS[index % STREETS.length]} ${index + 3}\n12045 Berlin`,
      license_class_template_id: template?.id ?? null,
      ...(template && { prior_classes: priorClassesAt(index, code) }),
      preferred_instructor_id: index % 3 === 0 ? null : ownInstructor(template, index, instructors),
      pickup_place: random.chance(0.5) ? random.pick(PICKUP_PLACES) : null,
      notes: random.chance(0.15) ? random.pick(NOTES) : null,
      messages_consent: index % 4 !== 3,
      language: LANGUAGES[first_name] ?? null,
      contacts: age < 18 ? [parentOf(last_name, index)] : [],
      lessons_per_week: index % 4 === 3 ? 2 : null,
    }
  })
}

function parentOf(last_name: string, index: number): GivenContact {
  const first_name = PARENTS[index % PARENTS.length] ?? 'Katrin'
  const phone = `+49 30 5550${300 + index}`
  return { name: `${first_name} ${last_name}`, relation: 'guardian', phone, gets_messages: index % 2 === 0 }
}

/** Returns a name in the characters of e-mail addresses, such as `mueller` for Müller. */
function addressPart(name: string): string {
  const [, long = plain(name)] = spellingsOf(name)
  return long
}

/** Returns a wish for further lessons, for every third student. */
export function demoWish(index: number): NewWish | undefined {
  return index % 3 === 0 ? WISHES[(index / 3) % WISHES.length] : undefined
}

/** Returns when a student can come in a week, for every third student: some at hours that many like, and some not at all. */
export function demoAnswer(index: number, monday: LocalDate): NewAvailability | undefined {
  if (index % 3 !== 1) return undefined
  const { lessons, hours } = ANSWERS[(index - 1) / 3] ?? POPULAR
  return {
    lessons,
    windows: hours.map(([days, time_from, time_to, minutes]) => {
      return { date: daysLater(monday, days), time_from, time_to, minutes }
    }),
  }
}

type DemoAnswer = {
  readonly lessons: number
  readonly hours: readonly (readonly [days: number, from: string, to: string, minutes: number])[]
}

/** The hours after work of a Thursday, for which most students ask. */
const POPULAR: DemoAnswer = { lessons: 1, hours: [[3, '17:00', '18:30', 90]] }

const ANSWERS: readonly DemoAnswer[] = [
  { lessons: 2, hours: [0, 2, 4].map((days) => [days, '13:00', '17:00', 90] as const) },
  { lessons: 1, hours: [[1, '17:00', '19:00', 90]] },
  { lessons: 0, hours: [] },
  { lessons: 1, hours: [[6, '10:00', '12:00', 90]] },
  { lessons: 1, hours: [[0, '08:00', '09:30', 90]] },
  { lessons: 2, hours: [1, 3].map((days) => [days, '08:00', '12:00', 90] as const) },
]

const WISHES: readonly NewWish[] = [
  { minutes: 90, time_from: '08:00', time_to: '13:00' },
  { minutes: 90, weekdays: [1, 3, 5] },
  { minutes: 45, time_from: '14:00', time_to: '19:00' },
  { minutes: 90, weekdays: [2, 4] },
]

function ownInstructor(
  template: LicenseClassTemplate | undefined,
  index: number,
  instructors: readonly Instructor[],
): string | null {
  const able = instructors.filter(({ license_classes }) =>
    license_classes.includes(template?.license_class ?? ''),
  )
  return able[index % able.length]?.id ?? null
}

function windows(weekdays: readonly number[], start: string, end: string) {
  return weekdays.map((weekday) => ({ weekday, start, end }))
}

function contact(name: string, extension: number) {
  return { email: `${name}@demo.example`, phone: `+49 30 55502${extension}` }
}
