import { type CSSProperties, type MouseEvent, memo, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { isCounted } from '../../domain/counted.ts'
import { dateOf, type LocalDate, timeOf } from '../../domain/local-time.ts'
import { vacationWithin } from '../../domain/vacation.ts'
import { loadOf } from '../lessons/load.ts'
import { meterOf } from '../lessons/meter.ts'
import { useMarks } from '../lessons/use-marks.ts'
import { type OfferedSlots, useOffered } from '../slots/offered.ts'
import { Icon } from '../ui/icon.tsx'
import { initialsOf, nameOf, type School, useSchool } from '../ui/school.tsx'
import { useNow } from '../ui/use-now.ts'
import { type BoardSearch, weekOf } from './board-search.ts'
import { clicked } from './clicked.ts'
import { worksOn } from './closed-times.ts'
import type { GridEvent } from './grid-event.ts'
import { LegendButton } from './legend/legend-button.tsx'
import { lessonEvents, slotEvent } from './lesson-event.ts'
import { MeterBar } from './meter-bar.tsx'
import { specialDayName } from './special-day-name.ts'
import css from './team-week.module.css'
import type { EmptyTime } from './use-dragging.ts'
import type { LineMoving } from './use-line-moving.ts'

export type TeamWeekProps = {
  readonly date: LocalDate
  readonly shown: readonly Instructor[]
  readonly lessons: readonly Appointment[]
  readonly go: (change: Partial<BoardSearch>) => void
  readonly onBook: (time: EmptyTime) => void
  /** Opens the form for a day of an instructor without a time. */
  readonly onBookDay: (day: { readonly instructor_id: string; readonly date: LocalDate }) => void
  readonly onOpen: (lessonId: string) => void
  /** Called if the code cannot be fetched. */
  readonly onClose: () => void
  /** The lessons that a plan proposes, their pointer and keys, the function that opens one, and the planned hours of each instructor. */
  readonly ghosts?: readonly GridEvent[]
  readonly moving?: LineMoving
  readonly onGhost?: (id: string) => void
  readonly loads?: ReadonlyMap<string, string> | undefined
}

/** Shows the week of all instructors: a row for each, a cell for each day, and each lesson as one line. */
export default function TeamWeek(props: TeamWeekProps) {
  const { date, shown, lessons, go, onBook, onBookDay, onOpen, onGhost, loads, moving } = props
  const { ghosts = NO_EVENTS } = props
  const { t } = useTranslation()
  const offered = useOffered()
  const dates = useMemo(() => weekOf(date), [date])
  const cells = useCells(lessons, offered, ghosts)
  const preview = moving?.preview
  const onClick = ({ target }: MouseEvent) => {
    const free = target instanceof Element ? target.closest<HTMLElement>('[data-free]')?.dataset : undefined
    if (moving?.isClickMeant() === false) return
    if (free?.free && free.day) onBookDay({ instructor_id: free.free, date: free.day })
    else clicked(target, { lessons, offered, onBook: offered?.pick ?? onBook, onOpen, onGhost })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and clicks are those of the buttons inside
    <div
      ref={moving?.box}
      className={css.week}
      onClick={onClick}
      onPointerDown={moving?.onPointerDown}
      onKeyDown={moving?.onKeyDown}
    >
      <table aria-label={t('board.teamWeek')}>
        <thead>
          <tr>
            <td>
              <LegendButton />
            </td>
            {dates.map((day) => (
              <DayColumnHead key={day} day={day} onOpen={() => go({ view: undefined, date: day })} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((instructor) => (
            <InstructorRow
              key={instructor.id}
              {...{ instructor, dates, lessons, cells, go }}
              preview={preview?.resources[0] === instructor.id ? preview : undefined}
              load={loads?.get(instructor.id)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Cells = ReadonlyMap<string, readonly GridEvent[]>

/** Returns the lessons, offered and proposed times by instructor and day, in the order of their time. */
function useCells(
  lessons: readonly Appointment[],
  offered: OfferedSlots | undefined,
  ghosts: readonly GridEvent[],
): Cells {
  const school = useSchool()
  const markOf = useMarks(lessons)
  const { t } = useTranslation()
  return useMemo(() => {
    const events = [
      ...lessonEvents(lessons.filter(isCounted), markOf, school, t),
      ...(offered?.slots.map((slot) => slotEvent(slot, offered.chosen, t)) ?? []),
      ...ghosts,
    ]
    const sorted = events.toSorted((a, b) => (a.start_at < b.start_at ? -1 : 1))
    return Map.groupBy(sorted, ({ resources, start_at }) => `${resources[0]} ${dateOf(start_at)}`)
  }, [lessons, offered, ghosts, markOf, school, t])
}

function DayColumnHead({ day, onOpen }: { day: LocalDate; onOpen: () => void }) {
  const school = useSchool()
  const { t } = useTranslation()
  const today = dateOf(useNow())
  const special = specialDayName(day, school, t)
  return (
    <th scope="col" data-today={day === today || undefined}>
      <button type="button" className={css.open} onClick={onOpen}>
        {school.format.day(day)}
      </button>
      {special && <span className="special-day">{special}</span>}
    </th>
  )
}

type RowProps = Pick<TeamWeekProps, 'lessons' | 'go'> & {
  readonly instructor: Instructor
  readonly dates: readonly LocalDate[]
  readonly cells: Cells
  readonly load: string | undefined
  /** The held lesson, if it is over the row. */
  readonly preview: GridEvent | undefined
}

const InstructorRow = memo(function InstructorRow(props: RowProps) {
  const { instructor, dates, lessons, cells, go, load, preview } = props
  const school = useSchool()
  const { t } = useTranslation()
  const name = nameOf(instructor)
  const [monday = ''] = dates
  const week = useMemo(
    () => meterOf(loadOf(instructor, monday, lessons, school).week, 'week', school, t),
    [instructor, monday, lessons, school, t],
  )
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          className="column-name"
          title={t('board.weekOf', { name })}
          onClick={() => go({ view: 'week', instructor: instructor.id })}
        >
          <span className="person" style={{ '--person': instructor.color } as CSSProperties} aria-hidden>
            {initialsOf(instructor)}
          </span>
          <span className="column-text">{name}</span>
        </button>
        <MeterBar {...week} />
        {load && <span className={css.load}>{load}</span>}
      </th>
      {dates.map((day) => (
        <DayCell
          key={day}
          {...{ instructor, day }}
          events={cells.get(`${instructor.id} ${day}`) ?? NO_EVENTS}
          preview={preview && dateOf(preview.start_at) === day ? preview : undefined}
          ground={groundOf(instructor, day, school)}
        />
      ))}
    </tr>
  )
})

const NO_EVENTS: readonly GridEvent[] = []

/** Returns the class of a cell's background: striped if nothing can be booked, grey without working hours. */
function groundOf(instructor: Instructor, day: LocalDate, { days }: School): string {
  const special = days?.on(day)
  if (special?.isClosed) return 'closed-day'
  if (vacationWithin(day, day, instructor.vacations)) return 'vacation'
  if (!worksOn(instructor, day)) return 'closed'
  return special ? 'holiday' : ''
}

type CellProps = {
  readonly instructor: Instructor
  readonly day: LocalDate
  readonly events: readonly GridEvent[]
  readonly preview: GridEvent | undefined
  readonly ground: string
}

function DayCell({ instructor, day, events, preview, ground }: CellProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const away = ground === 'vacation' && vacationWithin(day, day, instructor.vacations)
  return (
    <td className={ground && `board-background ${ground}`} data-cell={instructor.id} data-day={day}>
      {away && <span className={css.away}>{away.note ?? t('board.away')}</span>}
      {events.map((event) => (
        <Line key={event.id} event={event} />
      ))}
      {preview && <PreviewLine event={preview} />}
      <button
        type="button"
        className={css.free}
        data-free={instructor.id}
        data-day={day}
        aria-label={t('board.bookDay', { name: nameOf(instructor), day: format.day(day) })}
      >
        <Icon name="plus" size={14} />
      </button>
    </td>
  )
}

/** Shows the held lesson where it would be dropped. */
function PreviewLine({ event: { className, style, start_at, content } }: { event: GridEvent }) {
  if (content.kind === 'background') return null
  return (
    <div className={`board-event board-preview ${className} ${css.line}`} style={style} data-preview>
      <span className={css.time}>{timeOf(start_at)}</span>
      <span className={css.student}>{content.text.student}</span>
    </div>
  )
}

/** Shows a lesson, an offered or a proposed time as one line. */
function Line({ event: { id, className, style, content, ...event } }: { event: GridEvent }) {
  if (content.kind === 'background') return null
  const isLesson = content.kind === 'lesson'
  const { time, student } = content.text
  const ids = { lesson: { 'data-lesson': id }, slot: { 'data-slot': id }, ghost: { 'data-ghost': id } }
  return (
    <button
      type="button"
      className={`board-event ${className} ${css.line}`}
      style={style}
      title={content.kind === 'slot' ? undefined : content.text.label}
      data-start={event.start_at}
      data-end={event.end_at}
      data-movable={content.kind === 'ghost' && event.isMovable ? id : undefined}
      {...ids[content.kind]}
    >
      <span className={css.time}>{time.split('–')[0]}</span>
      <span className={css.student}>{student}</span>
      {content.kind !== 'slot' && content.text.mark && (
        <span className={css.mark}>
          <Icon name="alert" size={12} />
        </span>
      )}
      {isLesson && content.text.short && <span className="lesson-short">{content.text.short}</span>}
    </button>
  )
}
