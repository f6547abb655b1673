import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { dateOf, type LocalDate, MINUTES_PER_DAY, minutesLater } from '../../domain/local-time.ts'
import { expectChange, forgetChange } from '../lessons/pending.ts'
import type { Draft } from '../lessons/verdict.ts'
import type { Moves } from './use-moves.ts'

const STEP_MINUTES = 15

type Board = {
  /** Ids of the instructors in the order of their columns; in the week there is but one. */
  readonly columns: readonly string[]
  readonly isWeek: boolean
  /** The days that are shown. */
  readonly dates: readonly LocalDate[]
}

type Held = { readonly lesson: Appointment; readonly draft: Draft; readonly change: AppointmentChange }

/** Alt+arrows move the focused lesson, Alt+Shift+arrows its end; letting go of Alt drops it, Escape takes it back. */
export function useKeyboardMoving(moves: Moves, board: Board) {
  const now = useRef(board)
  now.current = board
  const held = useRef<Held>(undefined)

  const keys = useMemo(() => {
    const release = (): Held | undefined => {
      const current = held.current
      held.current = undefined
      moves.leave()
      return current
    }
    const drop = () => {
      const current = release()
      if (!current) return
      moves.settle(current.lesson, current.draft)
      forgetChange(current.lesson.id, current.change)
    }
    const cancel = () => {
      const current = release()
      if (current) forgetChange(current.lesson.id, current.change)
    }
    const nudge = (lesson: Appointment, event: Arrow) => {
      const draft = nudged(held.current?.draft ?? lesson, event, now.current)
      const { instructor_id, start_at, end_at } = draft
      const change = { instructor_id, start_at, end_at }
      if (held.current) forgetChange(lesson.id, held.current.change)
      held.current = { lesson, draft, change }
      expectChange(lesson.id, change)
      moves.look(draft)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      const id = lessonUnder(event.target)
      if (id === undefined || !isArrow(event)) return
      event.preventDefault()
      if (held.current && held.current.lesson.id !== id) drop()
      const lesson = held.current?.lesson ?? moves.lessonOf(id)
      if (lesson?.status === 'planned') nudge(lesson, event)
    }
    /** The block that is held may have left the sight, and the focus with it. */
    const onAnyKey = (event: globalThis.KeyboardEvent) => {
      if (!held.current || event.defaultPrevented) return
      if (event.key === 'Escape') cancel()
      else if (isArrow(event)) nudge(held.current.lesson, event)
      else return
      event.preventDefault()
    }
    return { drop, cancel, onKeyDown, onAnyKey }
  }, [moves])

  useEffect(() => {
    const letGo = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Alt' || !held.current) return
      event.preventDefault()
      keys.drop()
    }
    window.addEventListener('keydown', keys.onAnyKey)
    window.addEventListener('keyup', letGo)
    // Alt may also have begun a change of window: nobody has let go of the lesson.
    window.addEventListener('blur', keys.cancel)
    return () => {
      window.removeEventListener('keydown', keys.onAnyKey)
      window.removeEventListener('keyup', letGo)
      window.removeEventListener('blur', keys.cancel)
    }
  }, [keys])

  return keys.onKeyDown
}

type Arrow = { readonly key: string; readonly altKey: boolean; readonly shiftKey: boolean }

function isArrow({ altKey, key }: Arrow): boolean {
  return altKey && key.startsWith('Arrow')
}

function lessonUnder(target: EventTarget): string | undefined {
  return target instanceof HTMLElement ? target.dataset.lesson : undefined
}

/** A step further; where that would leave the days that are shown, nothing. */
function nudged(draft: Draft, { key, shiftKey }: Arrow, { columns, isWeek, dates }: Board): Draft {
  const minutes = key === 'ArrowDown' ? STEP_MINUTES : key === 'ArrowUp' ? -STEP_MINUTES : 0
  if (shiftKey) {
    const end_at = minutesLater(draft.end_at, minutes)
    return end_at > draft.start_at ? { ...draft, end_at } : draft
  }
  const sideways = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  if (sideways !== 0 && !isWeek) {
    const instructor_id = columns[columns.indexOf(draft.instructor_id) + sideways] ?? draft.instructor_id
    return { ...draft, instructor_id }
  }
  const by = minutes + sideways * MINUTES_PER_DAY
  const start_at = minutesLater(draft.start_at, by)
  return dates.includes(dateOf(start_at))
    ? { ...draft, start_at, end_at: minutesLater(draft.end_at, by) }
    : draft
}
