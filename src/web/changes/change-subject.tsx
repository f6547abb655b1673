import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Change } from '../../contract/change.ts'
import type { ScheduleRequest } from '../../contract/schedule-request.ts'
import { dateOf } from '../../domain/local-time.ts'
import { oneAppointment } from '../data/appointments.ts'
import { oneRequest } from '../data/requests.ts'
import { lessonText } from '../lessons/lesson-texts.ts'
import { nameOf, studentName, useSchool } from '../ui/school.tsx'

type ChangeSubjectProps = {
  readonly change: Change
  /** All loaded changes, newest first. They may have data that this change lacks. */
  readonly all: readonly Change[]
}

/** Names the subject of a change, with a link while it exists. */
export function ChangeSubject({ change, all }: ChangeSubjectProps) {
  const { tenant, lessonType } = useSchool()
  switch (change.resource) {
    case 'appointment':
      return <LessonSubject change={change} all={all} />
    case 'student':
    case 'instructor':
      return <PersonSubject change={change} all={all} />
    case 'calendar_feed':
    case 'busy_calendar':
      return <PersonLink resource="instructor" id={recordedValue(change, all, 'instructor_id')} />
    case 'student_link':
    case 'wish':
    case 'availability':
    case 'enrolment':
    case 'tick':
      return <PersonLink resource="student" id={recordedValue(change, all, 'student_id')} />
    case 'schedule_request':
      return <RequestSubject change={change} all={all} />
    case 'lesson_type':
      return lessonType.get(change.resource_id)?.name
    case 'offer':
      return recordedValue(change, all, 'start_at')
    case 'vehicle':
    case 'location':
    case 'user':
      return recordedValue(change, all, 'name')
    case 'enquiry':
      return recordedValue(change, all, 'license_class')
    case 'webhook':
      return recordedValue(change, all, 'url')
    default:
      return tenant.name
  }
}

const NAMING = ['student_id', 'lesson_type_id', 'title', 'start_at', 'end_at'] as const
type Place = Pick<Appointment, (typeof NAMING)[number]>

/** Fetches the lesson if no change has its student and time. */
function LessonSubject({ change, all }: ChangeSubjectProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const { resource_id: id } = change
  const noted = sidesOf(change, all).find((side) => NAMING.every((name) => side[name] !== undefined))
  const { data } = useQuery({ ...oneAppointment(id), enabled: noted === undefined })
  const lesson = (noted as Place | undefined) ?? data
  if (!lesson) return null
  const text = lessonText(lesson, school, t)
  if (isGone(change, all)) return text
  return (
    <Link to="/" search={{ date: dateOf(lesson.start_at), lesson: id }}>
      {text}
    </Link>
  )
}

function PersonSubject({ change, all }: ChangeSubjectProps) {
  const { resource, resource_id: id } = change
  const name = [recordedValue(change, all, 'first_name'), recordedValue(change, all, 'last_name')]
    .join(' ')
    .trim()
  return <PersonLink resource={resource === 'instructor' ? resource : 'student'} id={id} gone={name} />
}

type PersonLinkProps = {
  readonly resource: 'instructor' | 'student'
  readonly id: string
  /** The name of a deleted student. */
  readonly gone?: string
}

function PersonLink({ resource, id, gone = '' }: PersonLinkProps) {
  const school = useSchool()
  const { t } = useTranslation()
  if (resource === 'instructor') {
    const person = school.instructor.get(id)
    return person ? (
      <Link to="/instructors" search={{ instructor: id }}>
        {nameOf(person)}
      </Link>
    ) : null
  }
  const person = school.student.get(id)
  if (!person) return gone || t('lesson.gone')
  return (
    <Link to="/students" search={{ student: id }}>
      {studentName(person, school)}
    </Link>
  )
}

/** Names the instructor and the days of a request; fetches it if no change has them. */
function RequestSubject({ change, all }: ChangeSubjectProps) {
  const { instructor, format } = useSchool()
  const recorded = sidesOf(change, all).find(({ instructor_id }) => instructor_id !== undefined)
  const { data } = useQuery({ ...oneRequest(change.resource_id), enabled: recorded === undefined })
  const request = (recorded as ScheduleRequest | undefined) ?? data
  if (!request) return null
  const { instructor_id, start_date, end_date } = request
  const person = instructor.get(instructor_id)
  const days = start_date && end_date ? format.days(start_date, end_date) : ''
  return [person && nameOf(person), days].filter(Boolean).join(', ') || null
}

/** Returns the values of the resource in its changes, the latest first. */
function sidesOf(change: Change, all: readonly Change[]) {
  return [change, ...all.filter(({ resource_id }) => resource_id === change.resource_id)].flatMap(
    ({ before, after }) => [after ?? {}, before ?? {}],
  )
}

function recordedValue(change: Change, all: readonly Change[], field: string): string {
  return String(sidesOf(change, all).find((side) => side[field] !== undefined)?.[field] ?? '')
}

function isGone({ resource_id }: Change, all: readonly Change[]): boolean {
  return all.find((one) => one.resource_id === resource_id)?.action === 'deleted'
}
