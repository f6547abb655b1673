import type { Calendar } from '@event-calendar/core'
import { useEffect, useMemo, useReducer, useRef } from 'react'
import type { Appointment } from '../../contract/appointment.ts'
import { MINUTES_PER_DAY, minutesLater } from '../../domain/local-time.ts'
import type { LessonDraft } from '../lessons/verdict.ts'
import type { Moves } from './use-moves.ts'

/** The time after a drag in which a click is ignored: a touch may cause one. */
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
  /** Returns the fields that a column sets for a moved or a new lesson; by default the instructor. */
  readonly placeIn?: (column: string, lesson?: Appointment) => Place
}

const instructorIn = (instructor_id: string): Place => ({ instructor_id })

/** Moves and resizes lessons by mouse and touch, and handles clicks on empty time. */
export function useDragging(moves: Moves, board: Clicks) {
  const now = useRef(board)
  now.current = board
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const grip = useMemo(
    () => gripFor(moves, redraw, (...to) => (now.current.placeIn ?? instructorIn)(...to)),
    [moves],
  )

  useEffect(() => {
    window.addEventListener('keydown', grip.onKeyDown)
    return () => window.removeEventListener('keydown', grip.onKeyDown)
  }, [grip])

  return useMemo(() => {
    const clicks = clicksOf(() => now.current)
    return {
      handlers: { ...grip.handlers, ...clicks },
      isHeld: grip.isHeld,
      isClickMeant: grip.isClickMeant,
    }
  }, [grip])
}

/** Returns the handlers of a drag by pointer. After Escape, the release reverts it. */
function gripFor(moves: Moves, redraw: () => void, placeIn: NonNullable<Clicks['placeIn']>) {
  const draftOf = (lesson: Appointment, info: Moved): LessonDraft => ({
    ...lesson,
    ...(info.newResource && placeIn(info.newResource.id, lesson)),
    ...timesOf(lesson, info),
  })
  let isHeld = false
  let isCalledOff = false
  let droppedAt = Number.NEGATIVE_INFINITY
  const take = () => {
    isHeld = true
    isCalledOff = false
  }
  const look = (info: Moved) => {
    const lesson = moves.lessonOf(String(info.event.id))
    if (lesson && !isCalledOff) moves.look(draftOf(lesson, info))
    return true
  }
  const settle = (info: Moved & { revert: () => void }) => {
    const lesson = moves.lessonOf(String(info.event.id))
    if (!lesson || isCalledOff || !moves.settle(lesson, draftOf(lesson, info))) info.revert()
  }
  const drop = () => {
    isHeld = false
    droppedAt = performance.now()
    moves.leave()
    redraw()
  }
  return {
    isHeld: () => isHeld,
    isClickMeant: () => performance.now() - droppedAt > CLICK_AFTER_DRAG_MS,
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && isHeld) isCalledOff = true
      if (isCalledOff) moves.leave()
    },
    handlers: handlersOf({ take, look, settle, drop }),
  }
}

type DragCallbacks = {
  readonly take: () => void
  readonly look: (info: Moved) => boolean
  readonly settle: (info: Moved & { revert: () => void }) => void
  readonly drop: () => void
}

function handlersOf({ take, look, settle, drop }: DragCallbacks): Calendar.Options {
  return {
    eventDragStart: take,
    eventResizeStart: take,
    dragConstraint: look,
    resizeConstraint: look,
    eventDrop: settle,
    eventResize: settle,
    eventDragStop: drop,
    eventResizeStop: drop,
  }
}

function clicksOf(board: () => Clicks): Calendar.Options {
  const placeOf = (column: Calendar.Resource | undefined) => ({
    instructor_id: undefined,
    ...(column && (board().placeIn ?? instructorIn)(column.id)),
  })
  return {
    dateClick: ({ dateStr, resource }) =>
      board().onBook({ ...placeOf(resource), start_at: localOf(dateStr) }),
    select: ({ startStr, endStr, resource }) =>
      board().onBook({ ...placeOf(resource), start_at: localOf(startStr), end_at: localOf(endStr) }),
  }
}

type Moved = {
  readonly event: Calendar.Event
  readonly newResource?: Calendar.Resource
  readonly delta?: Calendar.Duration
  readonly endDelta?: Calendar.Duration
}

/** Returns the times of a moved lesson, computed from the distance, because the calendar's dates pass through the browser's zone. */
function timesOf(lesson: Appointment, { delta, endDelta }: Moved): Pick<LessonDraft, 'start_at' | 'end_at'> {
  return {
    start_at: minutesLater(lesson.start_at, lengthOf(delta)),
    end_at: minutesLater(lesson.end_at, lengthOf(delta ?? endDelta)),
  }
}

function lengthOf(duration: Calendar.Duration | undefined): number {
  return duration ? duration.days * MINUTES_PER_DAY + duration.seconds / 60 : 0
}

/** Converts `2026-05-04T08:00:00` to the contract's format. */
function localOf(text: string): string {
  return text.slice(0, 16).replace('T', ' ')
}
