import { type QueryClient, useQueryClient } from '@tanstack/react-query'
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

type HoverFor = typeof import('../lessons/local-verdict.ts').hoverFor

/** The lessons that can be held, and the effects of dropping one. */
export type Holding = {
  readonly lessonOf: (id: string) => Appointment | undefined
  /** The data that a verdict depends on. */
  readonly reading: Omit<Parameters<HoverFor>[1], 'client'>
  readonly refuse: (lesson: Appointment, change: AppointmentChange, why: string) => void
  readonly change: (lesson: Appointment, change: AppointmentChange) => void
}

export type Moves = ReturnType<typeof movesFor>

/** Returns the functions that move lessons: the rules run at every step, the service decides at the drop. */
export function movesFor(client: QueryClient, holding: () => Holding) {
  const hoverAt = (draft: LessonDraft): Hover =>
    rules.now()?.hoverFor(draft, { client, ...holding().reading }) ?? { draft, objections: [], warnings: [] }
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
    const change = changeOf(lesson, draft)
    if (objections.length > 0) holding().refuse(lesson, change, objections.join(' '))
    else if (Object.keys(change).length > 0) holding().change(lesson, change)
  }
  return {
    lessonOf: (id: string) => holding().lessonOf(id),
    look,
    settle,
    leave: () => hover.set(undefined),
  }
}

/** Returns the functions that move booked lessons. */
export function useMoves(lessons: readonly Appointment[], actions: LessonActions): Moves {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const holding: Holding = {
    lessonOf: (id) => lessons.find((lesson) => lesson.id === id),
    reading: { school, t },
    refuse: (lesson, change, why) => {
      const { find } = actions
      const wanted = { editing: lesson, like: { ...lesson, ...change } }
      const offers = find ? [{ label: t('find.open'), act: () => find(wanted) }] : []
      toast({ kind: 'problem', text: `${t('booking.notMoved')}: ${why}`, offers })
    },
    change: (lesson, change) => {
      const isResized = Object.keys(change).join() === 'end_at'
      void actions.change(lesson, change, isResized ? 'resized' : 'moved')
    },
  }
  const now = useRef(holding)
  now.current = holding
  return useMemo(() => movesFor(client, () => now.current), [client])
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
