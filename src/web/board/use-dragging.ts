import type { Calendar } from '@event-calendar/core'
import { type RefObject, useEffect, useMemo, useReducer, useRef } from 'react'
import type { Appointment } from '../../contract/appointment.ts'
import { MINUTES_PER_DAY, minutesLater } from '../../domain/local-time.ts'
import type { Draft } from '../lessons/verdict.ts'
import type { Moves } from './use-moves.ts'

/** After a touch a click may follow that nobody meant. */
const CLICK_AFTER_DRAG_MS = 400

/** Times of empty board that were clicked or drawn over; `end_at` only if drawn. */
export type EmptyTime = {
  readonly instructor_id: string | undefined
  readonly start_at: string
  readonly end_at?: string
}

type Board = {
  readonly onBook: (time: EmptyTime) => void
  readonly onOpen: (lessonId: string) => void
}

/** Moving and resizing by mouse and touch, and clicks on lessons and empty time. */
export function useDragging(moves: Moves, board: Board) {
  const now = useRef(board)
  now.current = board
  const isHeld = useRef(false)
  const isCalledOff = useRef(false)
  const droppedAt = useRef(Number.NEGATIVE_INFINITY)
  const [, redraw] = useReducer((count: number) => count + 1, 0)

  useEscape(isHeld, isCalledOff, moves)

  return useMemo(() => {
    const look = (info: Moved) => {
      if (isCalledOff.current) return true
      const lesson = moves.lessonOf(String(info.event.id))
      if (lesson) moves.look(draftOf(lesson, info))
      return true
    }
    const take = () => {
      isHeld.current = true
      isCalledOff.current = false
    }
    const drop = () => {
      isHeld.current = false
      droppedAt.current = performance.now()
      moves.leave()
      redraw()
    }
    const settle = (info: Moved & { revert: () => void }) => {
      const lesson = moves.lessonOf(String(info.event.id))
      if (!lesson || isCalledOff.current || !moves.settle(lesson, draftOf(lesson, info))) info.revert()
    }
    const handlers: Calendar.Options = {
      eventDragStart: take,
      eventResizeStart: take,
      eventDragStop: drop,
      eventResizeStop: drop,
      dragConstraint: look,
      resizeConstraint: look,
      eventDrop: settle,
      eventResize: settle,
      ...clicksOf(
        () => now.current,
        () => performance.now() - droppedAt.current > CLICK_AFTER_DRAG_MS,
      ),
    }
    return { handlers, isHeld: () => isHeld.current }
  }, [moves])
}

/** While the button is still down, Escape says that what is held goes back when it is let go. */
function useEscape(isHeld: RefObject<boolean>, isCalledOff: RefObject<boolean>, moves: Moves): void {
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && isHeld.current) isCalledOff.current = true
      if (isCalledOff.current) moves.leave()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [isHeld, isCalledOff, moves])
}

function clicksOf(board: () => Board, isMeant: () => boolean): Calendar.Options {
  return {
    eventClick: ({ event }) => {
      if (isMeant()) board().onOpen(String(event.id))
    },
    dateClick: ({ dateStr, resource }) =>
      board().onBook({ instructor_id: resource?.id, start_at: localOf(dateStr) }),
    select: ({ startStr, endStr, resource }) =>
      board().onBook({
        instructor_id: resource?.id,
        start_at: localOf(startStr),
        end_at: localOf(endStr),
      }),
  }
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
    start_at: minutesLater(lesson.start_at, lengthOf(delta)),
    end_at: minutesLater(lesson.end_at, lengthOf(delta ?? endDelta)),
  }
}

function lengthOf(duration: Calendar.Duration | undefined): number {
  return duration ? duration.days * MINUTES_PER_DAY + duration.seconds / 60 : 0
}

/** `2026-05-04T08:00:00` as the contract writes it. */
function localOf(text: string): string {
  return text.slice(0, 16).replace('T', ' ')
}
