import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { createStore } from '../data/store.ts'
import type { LessonActions } from '../lessons/lesson-actions.ts'
import type { Hover } from '../lessons/local-verdict.ts'
import type { LessonDraft } from '../lessons/verdict.ts'
import { lazily } from '../ui/lazily.ts'
import { useSchool } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'

const rules = lazily(() => import('../lessons/local-verdict.ts'))

/** Fetches the rules, so that the first step of a move can use them. */
export const loadRules = rules.load

const hover = createStore<Hover | undefined>(undefined)

/** The lesson held over the board, if any. */
export const useHover = hover.use

export type Moves = ReturnType<typeof useMoves>

/** Returns the functions that move lessons: the rules run at every step, the service decides at the drop. */
export function useMoves(lessons: readonly Appointment[], actions: LessonActions) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const now = useRef({ lessons, actions, school, t })
  now.current = { lessons, actions, school, t }

  return useMemo(() => {
    const hoverAt = (draft: LessonDraft): Hover =>
      rules.now()?.hoverFor(draft, { client, ...now.current }) ?? { draft, objections: [], warnings: [] }
    const look = (draft: LessonDraft) => {
      const shown = hoverAt(draft)
      hover.set(shown)
      // Until the rules are loaded, only the service checks the move.
      const arriving = rules.now() ? shown.fetchWarnings?.() : rules.load()
      void arriving?.then(
        () => hover.get()?.draft === draft && look(draft),
        () => undefined,
      )
    }
    /** Ends the move of a lesson, as it was when it was taken: a change by another user since then is a conflict. */
    const settle = (lesson: Appointment, draft: LessonDraft): void => {
      hover.set(undefined)
      const { objections } = hoverAt(draft)
      if (objections.length > 0) {
        const { t: translate, actions: doing } = now.current
        const text = `${translate('booking.notMoved')}: ${objections.join(' ')}`
        const wanted = { editing: lesson, like: { ...lesson, ...changeOf(lesson, draft) } }
        const { find } = doing
        const offers = find ? [{ label: translate('find.open'), act: () => find(wanted) }] : []
        toast({ kind: 'problem', text, offers })
        return
      }
      const change = changeOf(lesson, draft)
      if (Object.keys(change).length === 0) return
      const isResized = Object.keys(change).join() === 'end_at'
      void now.current.actions.change(lesson, change, isResized ? 'resized' : 'moved')
    }
    return {
      lessonOf: (id: string) => now.current.lessons.find((lesson) => lesson.id === id),
      look,
      settle,
      leave: () => hover.set(undefined),
    }
  }, [client])
}

/** Returns the fields of a lesson's place and time that a draft would change. */
function changeOf(lesson: Appointment, draft: LessonDraft): AppointmentChange {
  const fields = ['instructor_id', 'vehicle_ids', 'start_at', 'end_at'] as const
  return Object.fromEntries(
    fields
      .filter((field) => String(lesson[field]) !== String(draft[field]))
      .map((field) => [field, draft[field]]),
  )
}
