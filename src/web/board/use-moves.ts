import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import type { LessonActions } from '../lessons/use-lesson-actions.ts'
import type { Draft } from '../lessons/verdict.ts'
import { useSchool } from '../ui/school.tsx'
import { createStore } from '../ui/store.ts'
import { toast } from '../ui/toasts.ts'
import type { Judged } from './judged.ts'

/** What is held over the board, and what the rules say of it there. */
type Hover = { readonly draft: Draft } & Judged

const hover = createStore<Hover | undefined>(undefined)

export const useHover = hover.use

/** The rules, once they are here: nobody moves a lesson before the board stands. Until then the service decides alone. */
let judging: typeof import('./judged.ts') | undefined
const UNKNOWN: Judged = { objections: [], warnings: [], loads: [] }

export async function loadRules(): Promise<void> {
  judging = await import('./judged.ts')
}

export type Moves = ReturnType<typeof useMoves>

/** What moving a lesson has in common by mouse, touch and keys: the rules run at every step, the service decides at the drop. */
export function useMoves(lessons: readonly Appointment[], actions: LessonActions) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const now = useRef({ lessons, actions, school, t })
  now.current = { lessons, actions, school, t }

  return useMemo(() => {
    const hoverOf = (draft: Draft): Hover => {
      const { school: rules, t: words } = now.current
      return { draft, ...(judging?.judged(draft, rules, words, client) ?? UNKNOWN) }
    }
    /** Ends a move. Whether the service has been asked for it; if not, the lesson belongs where it was. */
    const settle = (lesson: Appointment, draft: Draft): boolean => {
      hover.set(undefined)
      const { objections } = hoverOf(draft)
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
      look: (draft: Draft) => {
        hover.set(hoverOf(draft))
        if (judging) return
        const lookAgain = () => hover.get()?.draft === draft && hover.set(hoverOf(draft))
        loadRules().then(lookAgain, () => undefined)
      },
      settle,
      leave: () => hover.set(undefined),
    }
  }, [client])
}

/** What of a lesson's place and time a draft would change. */
function changeOf(lesson: Appointment, draft: Draft): AppointmentChange {
  const fields = ['instructor_id', 'start_at', 'end_at'] as const
  return Object.fromEntries(
    fields.filter((field) => lesson[field] !== draft[field]).map((field) => [field, draft[field]]),
  )
}
