import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { Appointment } from '../../contract/appointment.ts'
import { dateOf, type LocalDate, MINUTES_PER_DAY, minutesLater } from '../../domain/local-time.ts'
import { showPendingWrites } from '../data/pending-writes.ts'
import type { LessonDraft } from '../lessons/verdict.ts'
import { isPressed, type KeyPress } from '../ui/shortcuts.ts'
import { blockOf, lessonIn } from './block-of.ts'
import { STEP_MINUTES } from './opening-hours.ts'
import { type Moves, useHover } from './use-moves.ts'

type Layout = {
  /** Moves the draft of a lesson to the next or previous column. */
  readonly shift: (draft: LessonDraft, by: 1 | -1, lesson: Appointment) => LessonDraft
  readonly isWeek: boolean
  /** Moves the draft to the row above or below, where rows are instructors: then nothing is lengthened. */
  readonly lift?: Layout['shift']
  /** The days shown. */
  readonly dates: readonly LocalDate[]
}

type Held = { readonly lesson: Appointment; readonly draft: LessonDraft; readonly putBack: () => void }

/** Alt+arrows move the focused lesson, Alt+Shift+arrows its end. Releasing Alt drops it, Escape reverts. */
export function useKeyboardMoving(moves: Moves, board: Layout) {
  const now = useRef(board)
  now.current = board
  const controls = useMemo(() => moveControlsFor(moves), [moves])
  const keys = useMemo(() => keysFor(moves, controls, () => now.current), [moves, controls])

  useEffect(() => {
    window.addEventListener('keydown', keys.onAnyKeyDown)
    window.addEventListener('keyup', keys.onAnyKeyUp)
    // Alt may have switched windows: that must not drop the lesson.
    window.addEventListener('blur', controls.cancel)
    return () => {
      window.removeEventListener('keydown', keys.onAnyKeyDown)
      window.removeEventListener('keyup', keys.onAnyKeyUp)
      window.removeEventListener('blur', controls.cancel)
      controls.cancel()
    }
  }, [keys, controls])
  useInSight(controls.held()?.lesson.id, useHover())

  return keys.onKeyDown
}

/** Scrolls to a held lesson at every step, before its verdict is placed beside it. */
function useInSight(held: string | undefined, step: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls at every step
  useLayoutEffect(() => {
    if (held === undefined) return
    const focused = document.activeElement
    const block = lessonIn(focused) === held ? focused : blockOf(held)
    block?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [held, step])
}

type MoveControls = ReturnType<typeof moveControlsFor>

/** Returns the functions that hold at most one lesson and show its position. */
function moveControlsFor(moves: Moves) {
  let held: Held | undefined
  const release = (): Held | undefined => {
    const current = held
    held = undefined
    moves.leave()
    return current
  }
  return {
    held: () => held,
    take: (lesson: Appointment, draft: LessonDraft) => {
      const { instructor_id, vehicle_ids = lesson.vehicle_ids, start_at, end_at } = draft
      held?.putBack()
      const change = { instructor_id, vehicle_ids, start_at, end_at }
      const putBack = showPendingWrites([{ id: lesson.id, change }])
      held = { lesson, draft, putBack }
      moves.look(draft)
    },
    drop: () => {
      const current = release()
      if (!current) return
      moves.settle(current.lesson, current.draft)
      current.putBack()
    },
    cancel: () => release()?.putBack(),
  }
}

function keysFor(moves: Moves, controls: MoveControls, board: () => Layout) {
  const nudge = (lesson: Appointment, arrow: KeyPress) =>
    controls.take(lesson, nudged({ lesson, draft: controls.held()?.draft ?? lesson }, arrow, board()))
  return {
    onKeyDown: (event: KeyboardEvent) => {
      const id = event.target instanceof Element ? lessonIn(event.target) : undefined
      if (id === undefined || !isArrow(event)) return
      event.preventDefault()
      const held = controls.held()
      if (held && held.lesson.id !== id) controls.drop()
      const lesson = controls.held()?.lesson ?? moves.lessonOf(id)
      if (lesson?.status === 'planned') nudge(lesson, event)
    },
    /** Handles keys outside of the held block, which may have left the view and lost the focus. */
    onAnyKeyDown: (event: globalThis.KeyboardEvent) => {
      const held = controls.held()
      if (!held || event.defaultPrevented) return
      if (event.key === 'Escape') controls.cancel()
      else if (isArrow(event)) nudge(held.lesson, event)
      else return
      event.preventDefault()
    },
    onAnyKeyUp: (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Alt' || !controls.held()) return
      event.preventDefault()
      controls.drop()
    },
  }
}

function isArrow(event: KeyPress): boolean {
  return isPressed('move', event) || isPressed('resize', event)
}

/** Returns the draft moved by an arrow key; unchanged if it would leave the days shown. */
function nudged(
  { lesson, draft }: Pick<Held, 'lesson' | 'draft'>,
  { key, shiftKey }: KeyPress,
  { shift, isWeek, lift, dates }: Layout,
): LessonDraft {
  const minutes = key === 'ArrowDown' ? STEP_MINUTES : key === 'ArrowUp' ? -STEP_MINUTES : 0
  if (shiftKey && lift) return lift(draft, minutes > 0 ? 1 : -1, lesson)
  if (shiftKey) {
    const end_at = minutesLater(draft.end_at, minutes)
    return end_at > draft.start_at ? { ...draft, end_at } : draft
  }
  const sideways = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  if (sideways !== 0 && !isWeek) return shift(draft, sideways, lesson)
  const by = minutes + sideways * MINUTES_PER_DAY
  const start_at = minutesLater(draft.start_at, by)
  return dates.includes(dateOf(start_at))
    ? { ...draft, start_at, end_at: minutesLater(draft.end_at, by) }
    : draft
}
