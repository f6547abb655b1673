import { type Static, type TObject, Type } from 'typebox'
import type { Appointment } from '../contract/appointment.ts'
import type { Check } from '../contract/check.ts'
import type { Instructor } from '../contract/instructor.ts'
import type { LessonType } from '../contract/lesson-type.ts'
import type { Student } from '../contract/student.ts'
import type { ReadingApi } from './api.ts'
import { type AssistantProposal, proposalLink } from './proposals.ts'

/** The context of a tool: the API with the person's token, and the address of the app for links. */
export type ToolContext = { readonly api: ReadingApi; readonly appUrl: string }

/** A tool of an assistant. Its result is data; no tool writes. */
export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: TObject
  readonly run: (context: ToolContext, input: never) => Promise<unknown>
}

const MAX_FOUND = 20
const MAX_LISTED = 200

const closed = { additionalProperties: false }
const Id = (description: string) => Type.String({ format: 'uuid', description })
const Moment = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}$',
    description: `${description}: YYYY-MM-DD HH:MM of the school's wall clock.`,
  })
const Day = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: `${description}: YYYY-MM-DD.` })

const student_id = Id('A student, of find_people.')
const instructor_id = Id('An instructor, of about_school or find_people.')
const lesson_type_id = Id('A lesson type, of about_school.')
const appointment_id = Id('A lesson, of list_lessons.')
const times = { start_at: Moment('The start'), end_at: Moment('The end') }

function tool<Input extends TObject>(
  described: Omit<Tool, 'input' | 'run'>,
  input: Input,
  run: (context: ToolContext, input: Static<Input>) => Promise<unknown>,
): Tool {
  return { ...described, input, run: run as Tool['run'] }
}

/** The tools in the order in which an assistant sees them. */
export const TOOLS: readonly Tool[] = [
  tool(
    {
      name: 'about_school',
      title: 'About the school',
      description:
        'Returns the person whom you work for, the school with its time zone, the lesson types and the instructors. Begin with it: other tools take these ids.',
    },
    Type.Object({}, closed),
    async ({ api }) => {
      const [me, types, instructors] = [
        await api.get<{ name: string; role: string; tenant: Record<string, unknown> }>('/auth/me'),
        await api.get<readonly LessonType[]>('/lesson-types'),
        await api.get<readonly Instructor[]>('/instructors'),
      ]
      const { name, timezone, country } = me.tenant
      return {
        you_work_for: { name: me.name, role: me.role },
        school: { name, timezone, country },
        now: localTextIn(String(timezone)),
        lesson_types: types.map(({ id, name, default_minutes }) => ({ id, name, default_minutes })),
        instructors: instructors.filter(({ active }) => active).map(shownInstructor),
      }
    },
  ),
  tool(
    {
      name: 'find_people',
      title: 'Find people',
      description: `Finds current students and instructors by a part of their name. Returns at most ${MAX_FOUND} of each.`,
    },
    Type.Object(
      { name: Type.String({ minLength: 2, maxLength: 100, description: 'A part of the name.' }) },
      closed,
    ),
    async ({ api }, { name }) => {
      const students: unknown[] = []
      for await (const student of api.rows<Student>('/students', { state: 'current' })) {
        if (isNamed(student, name)) students.push(shownStudent(student))
        if (students.length === MAX_FOUND) break
      }
      const instructors = (await api.get<readonly Instructor[]>('/instructors')).filter((one) =>
        isNamed(one, name),
      )
      return { students, instructors: instructors.slice(0, MAX_FOUND).map(shownInstructor) }
    },
  ),
  tool(
    {
      name: 'read_student',
      title: 'Read a student',
      description:
        'Returns how to reach a student, the meeting point, the preferred instructor and the notes about them.',
    },
    Type.Object({ student_id }, closed),
    async ({ api }, { student_id }) => {
      const student = await api.get<Student>(`/students/${student_id}`)
      const { phone, email, pickup_place, preferred_instructor_id, notes } = student
      return { ...shownStudent(student), phone, email, pickup_place, preferred_instructor_id, notes }
    },
  ),
  tool(
    {
      name: 'student_progress',
      title: 'Progress of a student',
      description:
        'Returns how many units of each lesson type the class requires, how many are done, planned and open, and what is missing before the exam.',
    },
    Type.Object({ student_id }, closed),
    ({ api }, { student_id }) => api.get(`/students/${student_id}/progress`),
  ),
  tool(
    {
      name: 'list_lessons',
      title: 'List lessons',
      description: `Lists the lessons of some days, also cancelled ones; of an instructor or a student if you name one. At most ${MAX_LISTED}.`,
    },
    Type.Object(
      {
        from: Day('The first day'),
        to: Day('The last day'),
        instructor_id: Type.Optional(instructor_id),
        student_id: Type.Optional(student_id),
      },
      closed,
    ),
    async ({ api }, input) => {
      const lessons = await api.get<readonly Appointment[]>('/appointments', { ...input, limit: MAX_LISTED })
      return { lessons: lessons.map(shownLesson), is_complete: lessons.length < MAX_LISTED }
    },
  ),
  tool(
    {
      name: 'find_free_times',
      title: 'Find free times',
      description:
        'Finds times that booking accepts, the best first: for a student, of one instructor or of all who teach the class. Nothing is reserved. Name lesson_type_id or minutes.',
    },
    Type.Object(
      {
        student_id: Type.Optional(student_id),
        lesson_type_id: Type.Optional(lesson_type_id),
        minutes: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 1440,
            description: 'The length; by default that of the lesson type.',
          }),
        ),
        instructor_id: Type.Optional(instructor_id),
        from: Type.Optional(Day('The first day; today by default')),
        to: Type.Optional(Day('The last day, at most 92 days after the first; 28 by default')),
        time_from: Type.Optional(
          Type.String({ pattern: '^\\d{2}:\\d{2}$', description: 'The earliest start, HH:MM.' }),
        ),
        time_to: Type.Optional(
          Type.String({ pattern: '^\\d{2}:\\d{2}$', description: 'The latest end, HH:MM.' }),
        ),
        weekdays: Type.Optional(
          Type.String({ description: 'ISO weekdays separated by commas; Monday is 1.' }),
        ),
      },
      closed,
    ),
    ({ api }, input) => api.get('/slots', { ...input, order: 'fit', limit: MAX_FOUND }),
  ),
  tool(
    {
      name: 'check_lesson',
      title: 'Check a lesson',
      description:
        'Says whether a lesson could be booked, which rules it would break and which times are near. Books nothing.',
    },
    Type.Object({ student_id: Type.Optional(student_id), instructor_id, lesson_type_id, ...times }, closed),
    ({ api }, input) => api.check(input),
  ),
  tool(
    {
      name: 'list_plans',
      title: 'List plans',
      description:
        'Lists the plans of weeks that the office has made, newest first: the proposed lessons and those left out, with reasons. Nothing of a draft is booked.',
    },
    Type.Object({}, closed),
    ({ api }) => api.get('/plans', { limit: 5 }),
  ),
  tool(
    {
      name: 'recent_changes',
      title: 'Recent changes',
      description: 'Lists who changed what on some days, newest first. At most 50.',
    },
    Type.Object(
      { from: Type.Optional(Day('The first day')), to: Type.Optional(Day('The last day')) },
      closed,
    ),
    ({ api }, input) => api.get('/changes', { ...input, limit: 50 }),
  ),
  tool(
    {
      name: 'propose_lesson',
      title: 'Propose a lesson',
      description:
        'Checks a lesson and returns a link. Give the link to the person: it opens the booking form filled in, and only they can book. You cannot.',
    },
    Type.Object(
      {
        student_id,
        instructor_id,
        lesson_type_id,
        ...times,
        pickup_place: Type.Optional(Type.String({ maxLength: 200, description: 'The meeting point.' })),
      },
      closed,
    ),
    async (context, input) => proposed(context, { book: input }, await context.api.check<Check>(input)),
  ),
  tool(
    {
      name: 'propose_move',
      title: 'Propose to move a lesson',
      description:
        'Checks another time or instructor for a lesson and returns a link. Give the link to the person: it opens the lesson with the new time filled in, and only they can save it.',
    },
    Type.Object({ appointment_id, ...times, instructor_id: Type.Optional(instructor_id) }, closed),
    async (context, input) => {
      const lesson = await context.api.get<Appointment>(`/appointments/${input.appointment_id}`)
      const move = { ...input, instructor_id: input.instructor_id ?? lesson.instructor_id }
      return proposed(context, { move }, await context.api.check<Check>(move))
    },
  ),
  tool(
    {
      name: 'propose_cancellation',
      title: 'Propose to cancel a lesson',
      description:
        'Returns a link to a lesson that should be cancelled. Give the link to the person: it opens the dialog, and only they can cancel.',
    },
    Type.Object({ appointment_id }, closed),
    async ({ api, appUrl }, { appointment_id }) => {
      const lesson = await api.get<Appointment>(`/appointments/${appointment_id}`)
      const cancel = { appointment_id, start_at: lesson.start_at }
      return { ...NOTHING_DONE, link: proposalLink(appUrl, { cancel }), lesson: shownLesson(lesson) }
    },
  ),
]

const NOTHING_DONE = {
  done: false,
  next: 'Nothing has been changed. Show the link to the person, who decides.',
}

function proposed({ appUrl }: ToolContext, proposal: AssistantProposal, check: Check) {
  const { allowed, refusals, warnings, alternatives } = check
  if (!allowed)
    return { done: false, next: 'This cannot be booked; no link is made.', refusals, alternatives }
  return { ...NOTHING_DONE, link: proposalLink(appUrl, proposal), warnings }
}

function isNamed(
  { first_name, last_name }: Pick<Student, 'first_name' | 'last_name'>,
  part: string,
): boolean {
  return comparable(`${first_name} ${last_name} ${first_name}`).includes(comparable(part))
}

/** Returns a text without case and accents. */
function comparable(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

function shownStudent({ id, first_name, last_name }: Student) {
  return { id, first_name, last_name }
}

function shownInstructor({ id, first_name, last_name, license_classes }: Instructor) {
  return { id, first_name, last_name, license_classes }
}

const SHOWN = [
  'id',
  'start_at',
  'end_at',
  'instructor_id',
  'student_id',
  'lesson_type_id',
  'status',
  'title',
  'pickup_place',
  'notes',
] as const

function shownLesson(lesson: Appointment) {
  return Object.fromEntries(SHOWN.map((field) => [field, lesson[field]]))
}

function localTextIn(timezone: string): string {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return text.format(new Date())
}
