import type { Appointment } from '../../contract/appointment.ts'
import { isCounted } from '../../domain/counted.ts'
import { type OfferedSlots, slotIdOf } from '../slots/offered.ts'
import type { EmptyTime } from './use-dragging.ts'

type Clickable = {
  readonly lessons: readonly Appointment[]
  readonly offered: OfferedSlots | undefined
  readonly onBook: (time: EmptyTime) => void
  readonly onOpen: (lessonId: string) => void
  /** Opens a proposed lesson. */
  readonly onGhost?: ((id: string) => void) | undefined
}

/** Handles a click on a button of the board. A cancelled lesson's strip handles its own clicks. */
export function clicked(target: EventTarget, { lessons, offered, onBook, onOpen, onGhost }: Clickable): void {
  const button = target instanceof Element ? target.closest('button') : null
  const { lesson, slot, book, open, ghost } = button?.dataset ?? {}
  if (ghost !== undefined) onGhost?.(ghost)
  const lessonOf = (id: string | undefined) => lessons.find((one) => one.id === id)
  const chosen = offered?.slots.find((one) => slotIdOf(one) === slot)
  if (chosen) offered?.pick(chosen)
  const freed = lessonOf(book)
  if (freed) onBook({ instructor_id: freed.instructor_id, start_at: freed.start_at, end_at: freed.end_at })
  const shown = lessonOf(lesson)
  const opened = shown && isCounted(shown) ? lesson : open
  if (opened !== undefined) onOpen(opened)
}
