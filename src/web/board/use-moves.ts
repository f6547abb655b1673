import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import type { Verdict } from '../../domain/booking.ts'
import { localNow } from '../../domain/time-zone.ts'
import { lessonsOfStudent, weekOfAppointments } from '../api/appointments.ts'
import { judge } from '../lessons/judge.ts'
import { refusalWords } from '../lessons/refusal-words.ts'
import type { LessonActions } from '../lessons/use-lesson-actions.ts'
import { weekIn } from '../lessons/use-week.ts'
import { type Draft, missingIn } from '../lessons/verdict.ts'
import { warningWords } from '../lessons/warning-words.ts'
import { warningsOn } from '../lessons/warnings.ts'
import { type School, useSchool } from '../ui/school.tsx'
import { createStore } from '../ui/store.ts'
import { toast } from '../ui/toasts.ts'

/** What is held over the board, what speaks against it there, what to know of it, and how full the day and week would be. */
type Hover = {
  readonly draft: Draft
  readonly objections: readonly string[]
  readonly warnings: readonly string[]
  /** Not known yet for a week that has not been read. */
  readonly verdict?: Verdict | undefined
}

const hover = createStore<Hover | undefined>(undefined)

export const useHover = hover.use

export type Moves = ReturnType<typeof useMoves>

/** What moving a lesson has in common by mouse, touch and keys: the rules run at every step, the service decides at the drop. */
export function useMoves(lessons: readonly Appointment[], actions: LessonActions) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const now = useRef({ lessons, actions, school, t })
  now.current = { lessons, actions, school, t }

  return useMemo(() => {
    const judged = (draft: Draft): Hover => {
      const { school: rules, t: words } = now.current
      const missing = missingIn(draft, rules)
      if (missing) return { draft, objections: [words(`booking.missing.${missing}`)], warnings: [] }
      const { verdict, lessons: appointments, weeks } = judge(draft, rules, (week) => weekIn(client, week))
      for (const week of weeks) void client.prefetchQuery(weekOfAppointments(week))
      const about = { ...draft, appointments }
      return {
        draft,
        verdict,
        objections: verdict?.refusals.map((refusal) => refusalWords(refusal, about, rules, words)) ?? [],
        warnings: warningsOf(draft, now.current, client),
      }
    }
    /** Ends a move. Whether the service has been asked for it; if not, the lesson belongs where it was. */
    const settle = (lesson: Appointment, draft: Draft): boolean => {
      hover.set(undefined)
      const { objections } = judged(draft)
      if (objections.length > 0) {
        const { t: words, actions: doing } = now.current
        const text = `${words('booking.notMoved')}: ${objections.join(' ')}`
        const wanted = { editing: lesson, like: { ...lesson, ...changeOf(lesson, draft) } }
        toast({ kind: 'problem', text, ...(doing.find && { find: () => doing.find?.(wanted) }) })
        return false
      }
      const change = changeOf(lesson, draft)
      if (Object.keys(change).length === 0) return false
      const isResized = change.start_at === undefined && change.instructor_id === undefined
      void now.current.actions.change(lesson, change, isResized ? 'resized' : 'moved')
      return true
    }
    return {
      lessonOf: (id: string) => now.current.lessons.find((lesson) => lesson.id === id),
      look: (draft: Draft) => hover.set(judged(draft)),
      settle,
      leave: () => hover.set(undefined),
    }
  }, [client])
}

/** What to know of a draft, by what has been read; the student's lessons may not have been. */
function warningsOf(
  draft: Draft,
  { school, t }: { readonly school: School; readonly t: TFunction },
  client: QueryClient,
): readonly string[] {
  const lessons = client.getQueryData(lessonsOfStudent(draft.student_id ?? '').queryKey)
  const now = localNow(new Date(), school.tenant.timezone)
  return warningsOn(draft, school, { now, lessons }).map((warning) =>
    warningWords(warning, draft.instructor_id, school, t),
  )
}

/** What of a lesson's place and time a draft would change. */
function changeOf(lesson: Appointment, draft: Draft): AppointmentChange {
  const fields = ['instructor_id', 'start_at', 'end_at'] as const
  return Object.fromEntries(
    fields.filter((field) => lesson[field] !== draft[field]).map((field) => [field, draft[field]]),
  )
}
