import { useMemo, useRef } from 'react'
import type { Appointment } from '../../contract/appointment.ts'
import type { LessonDraft } from '../lessons/verdict.ts'
import type { GridActs } from './grid-pointer.ts'
import type { MovedTo } from './pointer-places.ts'
import type { Moves } from './use-moves.ts'

/** The time after a drag in which a click is ignored: its release may cause one. */
const CLICK_AFTER_DRAG_MS = 400

/** An empty time that was clicked or drawn; `end_at` is set if it was drawn. */
export type EmptyTime = {
  readonly instructor_id: string | undefined
  readonly start_at: string
  readonly end_at?: string
  readonly vehicle_ids?: readonly string[]
}

type Place = Partial<Pick<EmptyTime, 'instructor_id'>> & { readonly vehicle_ids?: string[] }

type Clicks = {
  readonly onBook: (time: EmptyTime) => void
  /** Returns the fields that a column sets for a moved or a new lesson. */
  readonly placeIn: (resource: string, lesson?: Appointment) => Place
}

/** Returns the callbacks of a grid that move and lengthen lessons, and book empty times. */
export function useDragging(moves: Moves, board: Clicks) {
  const now = useRef(board)
  now.current = board
  return useMemo(() => dragFor(moves, () => now.current), [moves])
}

function dragFor(moves: Moves, board: () => Clicks) {
  let releasedAt = Number.NEGATIVE_INFINITY
  /** The lesson as it was when it was taken. */
  let held: Appointment | undefined
  const placeIn: Clicks['placeIn'] = (...of) => board().placeIn(...of)
  const draftOf = (lesson: Appointment, { resource, ...times }: MovedTo): LessonDraft => ({
    ...lesson,
    ...(resource !== undefined && placeIn(resource, lesson)),
    ...times,
  })
  const callOff = () => {
    releasedAt = performance.now()
    held = undefined
    moves.leave()
  }
  const acts: GridActs = {
    look: (id, to) => {
      held ??= moves.lessonOf(id)
      if (held) moves.look(draftOf(held, to))
    },
    drop: (to) => {
      const lesson = held
      callOff()
      if (lesson) moves.settle(lesson, draftOf(lesson, to))
    },
    callOff,
    draw: ({ resource }, start_at, end_at) =>
      board().onBook({
        instructor_id: undefined,
        ...placeIn(resource),
        start_at,
        ...(end_at !== undefined && { end_at }),
      }),
  }
  return { acts, isClickMeant: () => performance.now() - releasedAt > CLICK_AFTER_DRAG_MS }
}
