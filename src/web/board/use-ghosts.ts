import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Plan } from '../../contract/plan.ts'
import { showPendingWrites, usePendingWrites, withExpected } from '../data/pending-writes.ts'
import { changePlan } from '../data/plans.ts'
import { explainPlanning, refusedText } from '../plans/plan-texts.ts'
import { useSchool } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import { ghostEvents, ghostLesson } from './ghost-events.ts'
import type { GridEvent } from './grid-event.ts'
import { type Holding, type Moves, movesFor } from './use-moves.ts'

/** The lessons that a plan proposes, on the board. */
export type Ghosts = {
  readonly lessons: readonly Appointment[]
  readonly events: readonly GridEvent[]
  /** Whether they may exceed limits as far as the overrides allow. */
  readonly overrides: boolean
  readonly moves: Moves
  /** Returns the functions that move booked lessons and these. */
  readonly movesWith: (booked: Moves) => Moves
}

const NONE: readonly never[] = []

/** Returns the proposed lessons of a plan, which move like lessons, beside everything else in the plan. */
export function useGhosts(plan: Plan | undefined): Ghosts {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const expected = usePendingWrites()
  const shown = useMemo(
    () => plan && { ...plan, proposed: [...withExpected(plan.proposed, expected)] },
    [plan, expected],
  )
  const lessons = useMemo(() => shown?.proposed.map(ghostLesson) ?? NONE, [shown])
  const events = useMemo(() => (shown ? ghostEvents(shown, school, t) : NONE), [shown, school, t])
  const overrides = plan?.overrides ?? false
  const holding: Holding = {
    lessonOf: (id) => lessons.find((one) => one.id === id),
    reading: { school, t, ...(plan && { plan: { ...plan, lessons } }) },
    refuse: (_, __, why) => toast({ kind: 'problem', text: `${t('booking.notMoved')}: ${why}` }),
    change: (lesson, { instructor_id = lesson.instructor_id, start_at = lesson.start_at, ...change }) => {
      if (!plan) return
      const { id, end_at = lesson.end_at } = { ...change, id: lesson.id }
      const move = { id, instructor_id, start_at, end_at }
      const putBack = showPendingWrites([{ id, change: { ...move, is_locked: true } }])
      void changePlan({ id: plan.id, move: [move] }, { client })
        .catch((error: unknown) => {
          const why = refusedText(error, { ...lesson, ...move }, school, t) ?? explainPlanning(error, t)
          toast({ kind: 'problem', text: `${t('booking.notMoved')}: ${why}` })
        })
        .finally(putBack)
    },
  }
  const now = useRef(holding)
  now.current = holding
  const moves = useMemo(() => movesFor(client, () => now.current), [client])
  const movesWith = useMemo(() => (booked: Moves) => joinedMoves(booked, moves), [moves])
  return useMemo(
    () => ({ lessons, events, overrides, moves, movesWith }),
    [lessons, events, overrides, moves, movesWith],
  )
}

/** Returns the functions that move booked and proposed lessons. */
function joinedMoves(booked: Moves, proposed: Moves): Moves {
  const movesOf = (id: string | undefined) =>
    id !== undefined && proposed.lessonOf(id) !== undefined ? proposed : booked
  return {
    lessonOf: (id) => movesOf(id).lessonOf(id),
    look: (draft) => movesOf(draft.id).look(draft),
    settle: (lesson, draft) => movesOf(lesson.id).settle(lesson, draft),
    leave: booked.leave,
  }
}
