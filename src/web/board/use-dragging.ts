import type { Calendar } from '@event-calendar/core'
import { useMemo, useReducer, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { localDateTimeFor, minuteOf } from '../../domain/local-time.ts'
import { useSchool } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import { setHover } from './hover-verdict.ts'
import { refusalWords } from './refusal-words.ts'
import type { LessonActions } from './use-lesson-actions.ts'
import { type Draft, verdictFor } from './verdict.ts'

/** After a touch a click may follow that nobody meant. */
const CLICK_AFTER_DRAG_MS = 400

/** Times of empty board that were clicked or drawn over; `end_at` only if drawn. */
export type EmptyTime = {
  readonly instructor_id: string | undefined
  readonly start_at: string
  readonly end_at?: string
}

type Board = {
  readonly lessons: readonly Appointment[]
  readonly actions: LessonActions
  readonly onBook: (time: EmptyTime) => void
  readonly onOpen: (lessonId: string) => void
}

/** Moving and resizing by mouse and touch: the rules run at every step, the service decides at the drop. */
export function useDragging(board: Board) {
  const school = useSchool()
  const { t } = useTranslation()
  const now = useRef({ ...board, school, t })
  now.current = { ...board, school, t }
  const isHeld = useRef(false)
  const droppedAt = useRef(0)
  const [, redraw] = useReducer((count: number) => count + 1, 0)

  return useMemo(() => {
    const draftAt = (info: Moved): { lesson: Appointment; draft: Draft } | undefined => {
      const lesson = now.current.lessons.find(({ id }) => id === String(info.event.id))
      return lesson && { lesson, draft: draftOf(lesson, info) }
    }
    const verdictOf = (draft: Draft) => verdictFor(draft, now.current.lessons, now.current.school)
    const look = (info: Moved) => {
      const found = draftAt(info)
      if (found) setHover({ draft: found.draft, verdict: verdictOf(found.draft) })
      return true
    }
    const take = () => {
      isHeld.current = true
    }
    const drop = () => {
      isHeld.current = false
      droppedAt.current = performance.now()
      setHover(undefined)
      redraw()
    }
    const settle = (info: Moved & { revert: () => void }, told: 'moved' | 'resized') => {
      const found = draftAt(info)
      const refusal = found && verdictOf(found.draft)?.refusal
      if (!found || refusal) info.revert()
      if (!found) return
      const { lesson, draft } = found
      const { lessons, actions } = now.current
      if (refusal) {
        const reason = refusalWords(
          refusal,
          { ...draft, appointments: lessons },
          now.current.school,
          now.current.t,
        )
        toast({ kind: 'problem', text: reason })
        return
      }
      const change = changeOf(lesson, draft)
      if (Object.keys(change).length > 0) void actions.change(lesson, change, told)
    }
    const handlers: Calendar.Options = {
      eventDragStart: take,
      eventResizeStart: take,
      eventDragStop: drop,
      eventResizeStop: drop,
      dragConstraint: look,
      resizeConstraint: look,
      eventDrop: (info) => settle(info, 'moved'),
      eventResize: (info) => settle(info, 'resized'),
      eventClick: ({ event }) => {
        if (performance.now() - droppedAt.current > CLICK_AFTER_DRAG_MS) now.current.onOpen(String(event.id))
      },
      dateClick: ({ dateStr, resource }) =>
        now.current.onBook({ instructor_id: resource?.id, start_at: localOf(dateStr) }),
      select: ({ startStr, endStr, resource }) =>
        now.current.onBook({
          instructor_id: resource?.id,
          start_at: localOf(startStr),
          end_at: localOf(endStr),
        }),
    }
    return { handlers, isHeld: () => isHeld.current }
  }, [])
}

type Moved = {
  readonly event: Calendar.Event
  readonly newResource?: Calendar.Resource
  readonly delta?: Calendar.Duration
  readonly endDelta?: Calendar.Duration
}

/** Where a lesson would be: by how far it was moved, for the calendar's dates pass through the browser's zone. */
function draftOf(lesson: Appointment, { newResource, delta, endDelta }: Moved): Draft {
  return {
    ...lesson,
    instructor_id: newResource?.id ?? lesson.instructor_id,
    start_at: later(lesson.start_at, delta),
    end_at: later(lesson.end_at, delta ?? endDelta),
  }
}

function changeOf(lesson: Appointment, draft: Draft): Partial<Draft> {
  const fields = ['instructor_id', 'start_at', 'end_at'] as const
  return Object.fromEntries(
    fields.filter((field) => lesson[field] !== draft[field]).map((field) => [field, draft[field]]),
  )
}

function later(local: string, by?: Calendar.Duration): string {
  if (!by) return local
  return localDateTimeFor(minuteOf(local) + by.days * 1440 + by.seconds / 60)
}

/** `2026-05-04T08:00:00` as the contract writes it. */
function localOf(text: string): string {
  return text.slice(0, 16).replace('T', ' ')
}
