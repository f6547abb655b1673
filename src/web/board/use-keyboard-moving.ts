import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { localDateTimeFor, minuteOf } from '../../domain/local-time.ts'
import { useSchool } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import { setHover } from './hover-verdict.ts'
import { expectChange, forgetChange } from './optimistic.ts'
import { refusalWords } from './refusal-words.ts'
import type { LessonActions } from './use-lesson-actions.ts'
import { type Draft, verdictFor } from './verdict.ts'

const STEP_MINUTES = 15
const DAY_MINUTES = 1440

type Board = {
  readonly lessons: readonly Appointment[]
  readonly actions: LessonActions
  /** Ids of the instructors in the order of their columns; in the week there is but one. */
  readonly columns: readonly string[]
  readonly isWeek: boolean
}

type Held = { readonly lesson: Appointment; readonly draft: Draft; readonly change: AppointmentChange }

/** Alt+arrows move the focused lesson, Alt+Shift+arrows its end; letting go of Alt drops it, Escape takes it back. */
export function useKeyboardMoving(board: Board) {
  const school = useSchool()
  const { t } = useTranslation()
  const now = useRef({ ...board, school, t })
  now.current = { ...board, school, t }
  const held = useRef<Held>(undefined)

  const keys = useMemo(() => {
    const drop = () => {
      const current = held.current
      if (!current) return
      held.current = undefined
      setHover(undefined)
      const { lesson, draft, change } = current
      const refusal = verdictFor(draft, now.current.lessons, now.current.school)?.refusal
      if (!refusal) {
        void now.current.actions.change(lesson, change, toldOf(lesson, draft))
        return
      }
      forgetChange(lesson.id, change)
      const about = { ...draft, appointments: now.current.lessons }
      toast({ kind: 'problem', text: refusalWords(refusal, about, now.current.school, now.current.t) })
    }
    const cancel = () => {
      if (held.current) forgetChange(held.current.lesson.id, held.current.change)
      held.current = undefined
      setHover(undefined)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && held.current) {
        event.preventDefault()
        cancel()
        return
      }
      const id = lessonUnder(event.target)
      if (id === undefined || !event.altKey || !event.key.startsWith('Arrow')) return
      event.preventDefault()
      const lesson = held.current?.lesson ?? now.current.lessons.find((one) => one.id === id)
      if (lesson?.status !== 'planned') return
      const draft = nudged(held.current?.draft ?? lesson, event, now.current)
      const change = changeOf(draft)
      held.current = { lesson, draft, change }
      expectChange(lesson.id, change)
      setHover({ draft, verdict: verdictFor(draft, now.current.lessons, now.current.school) })
    }
    return { drop, onKeyDown }
  }, [])

  useEffect(() => {
    const letGo = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Alt' || !held.current) return
      event.preventDefault()
      keys.drop()
    }
    window.addEventListener('keyup', letGo)
    window.addEventListener('blur', keys.drop)
    return () => {
      window.removeEventListener('keyup', letGo)
      window.removeEventListener('blur', keys.drop)
    }
  }, [keys])

  return keys.onKeyDown
}

function lessonUnder(target: EventTarget): string | undefined {
  return target instanceof HTMLElement ? target.dataset.lesson : undefined
}

function nudged(draft: Draft, { key, shiftKey }: KeyboardEvent, { columns, isWeek }: Board): Draft {
  const minutes = key === 'ArrowDown' ? STEP_MINUTES : key === 'ArrowUp' ? -STEP_MINUTES : 0
  if (shiftKey) {
    const end_at = later(draft.end_at, minutes)
    return end_at > draft.start_at ? { ...draft, end_at } : draft
  }
  const sideways = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  if (sideways !== 0 && !isWeek) {
    const instructor_id = columns[columns.indexOf(draft.instructor_id) + sideways] ?? draft.instructor_id
    return { ...draft, instructor_id }
  }
  const by = minutes + sideways * DAY_MINUTES
  return { ...draft, start_at: later(draft.start_at, by), end_at: later(draft.end_at, by) }
}

function toldOf(lesson: Appointment, { instructor_id, start_at }: Draft): 'moved' | 'resized' {
  return start_at === lesson.start_at && instructor_id === lesson.instructor_id ? 'resized' : 'moved'
}

function changeOf({ instructor_id, start_at, end_at }: Draft) {
  return { instructor_id, start_at, end_at }
}

function later(local: string, minutes: number): string {
  return localDateTimeFor(minuteOf(local) + minutes)
}
