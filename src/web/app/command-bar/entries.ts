import type { TFunction } from 'i18next'
import type { Instructor } from '../../../contract/instructor.ts'
import type { Student } from '../../../contract/student.ts'
import type { Vehicle } from '../../../contract/vehicle.ts'
import { namesOfWeekday, plainWord, relativeNamesOf } from '../../../domain/date-names.ts'
import { dayOf, daysLater, type LocalDate, weekdayOf, weekNumberOf } from '../../../domain/local-time.ts'
import { relativeDateIn } from '../../../domain/relative-date.ts'
import type { Findable } from '../../../domain/search.ts'
import { typedDate } from '../../../domain/typed-date.ts'
import { isCurrent, nameOf, type School, studentHint, studentName } from '../../ui/school.tsx'
import { numbersOf, telOf } from '../../ui/tel-of.ts'
import type { CommandAction, CommandEntry, FindableEntry } from './entry.ts'
import type { Navigation } from './navigation.ts'

type Context = { readonly navigation: Navigation; readonly school: School; readonly t: TFunction }

/** Returns the entry of a student; Enter books a lesson, or shows a former student. */
export function studentEntry(student: Student, { navigation, school, t }: Context): CommandEntry {
  const { id, preferred_instructor_id } = student
  const start = { date: navigation.date, student_id: id }
  const instructor_id = preferred_instructor_id ?? undefined
  const bookings: readonly CommandAction[] = [
    { label: t('action.book'), icon: 'plus', act: () => navigation.book({ ...start, instructor_id }) },
    { label: t('find.open'), icon: 'clock', act: () => navigation.book({ ...start, isFinding: true }) },
  ]
  return {
    id,
    icon: 'students',
    label: studentName(student, school),
    hint: isCurrent(student) ? studentHint(student, school) : t('former.one'),
    student,
    actions: [
      ...(isCurrent(student) ? bookings : []),
      { label: t('bar.card'), icon: 'students', act: () => navigation.showStudent(id) },
      ...callTo(student, t),
    ],
  }
}

/** Returns the entry of an instructor; Enter shows the week. */
export function instructorEntry(instructor: Instructor, { navigation, t }: Context): CommandEntry {
  const { id } = instructor
  return {
    id,
    icon: 'instructor',
    label: nameOf(instructor),
    instructor,
    actions: [
      {
        label: t('bar.week'),
        icon: 'board',
        act: () => navigation.showBoard({ view: 'week', instructor: id }),
      },
      { label: t('bar.card'), icon: 'instructor', act: () => navigation.showInstructor(id) },
      { label: t('sheet.title'), icon: 'print', act: () => navigation.showDaySheet(id) },
      { label: t('absencePage.handle'), icon: 'alert', act: () => navigation.showAbsence(id) },
      ...callTo(instructor, t),
    ],
  }
}

/** Returns the entry of a day, found by its name and further words; Enter shows the day. */
export function dayEntry(
  date: LocalDate,
  findable: Findable,
  { navigation, school, t }: Context,
): FindableEntry {
  return {
    id: date,
    icon: 'calendar',
    label: school.format.longDay(date),
    findable,
    actions: [{ label: t('bar.goTo'), icon: 'calendar', act: () => navigation.showBoard({ date }) }],
  }
}

/** Returns the days that a text stands for: one, or both readings of `next thursday`; none for a mere name, which is searched. */
export function writtenDays(text: string, today: LocalDate, context: Context): readonly CommandEntry[] {
  const isDate = /\d/.test(text) || relativeDateIn(plainWord(text), today) !== undefined
  const typed = isDate ? typedDate(text, { kind: 'coming', today }) : undefined
  if (!typed || !('date' in typed)) return []
  if (typed.isWeek) return [weekEntry(typed.date, context)]
  return [typed.date, typed.or].flatMap((date) => (date ? dayEntry(date, { names: [] }, context) : []))
}

function weekEntry(monday: LocalDate, { navigation, school, t }: Context): CommandEntry {
  const week = t('board.calendarWeek', { week: weekNumberOf(monday) })
  return {
    id: monday,
    icon: 'calendar',
    label: `${week}: ${school.format.days(monday, daysLater(monday, 6))}`,
    actions: [
      {
        label: t('command.week'),
        icon: 'board',
        act: () => navigation.showBoard({ date: monday, view: 'week' }),
      },
      { label: t('bar.goTo'), icon: 'calendar', act: () => navigation.showBoard({ date: monday }) },
    ],
  }
}

/** Returns the entry of a vehicle; Enter shows the board of vehicles. */
export function vehicleEntry({ id, name, plate }: Vehicle, { navigation, school, t }: Context): CommandEntry {
  return {
    id,
    icon: 'board',
    label: [name, plate].filter(Boolean).join(' · '),
    actions: [
      { label: t('field.vehicle_ids'), icon: 'board', act: () => navigation.showBoard({ view: 'vehicles' }) },
      ...(school.user.role === 'owner'
        ? [{ label: t('nav.settings'), icon: 'edit' as const, act: () => navigation.showPage('/settings') }]
        : []),
    ],
  }
}

/** Returns the texts by which a vehicle is found: its name, plate and kind. */
export function findableVehicle({ name, plate, kind }: Vehicle, t: TFunction): Findable {
  return { names: [name], words: `${plate ?? ''} ${t(`vehicle.${kind}`)}` }
}

/** Returns the days around today that have a name, such as tomorrow or Monday. */
export function daysNearby(context: Context): readonly FindableEntry[] {
  const { navigation, school } = context
  return [-2, -1, 0, 1, 2, 3, 4, 5, 6, 7].map((days) => {
    const date = daysLater(navigation.today, days)
    const relative = relativeNamesOf(days)
    if (days <= 0) return dayEntry(date, { names: [], words: relative.join(' ') }, context)
    const words = [...relative, ...namesOfWeekday(weekdayOf(dayOf(date)))].join(' ')
    return dayEntry(date, { names: [school.format.weekday(date)], words }, context)
  })
}

function callTo(person: Student | Instructor, t: TFunction): readonly CommandAction[] {
  return numbersOf(person).flatMap((number): readonly CommandAction[] => {
    const href = telOf(number)
    return href ? [{ label: `${t('lesson.call')}: ${number}`, icon: 'phone', href }] : []
  })
}
